/** Backup and restore of a deployment with an archive: both say which files belong to it, and what is missing. */
import assert from "node:assert/strict";
import { cpSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ON_POSTGRES } from "@svc/testkit/drivers";
import { command } from "@svc/testkit/server/child-process";
import { jobNamed } from "@svc/testkit/server/jobs";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { requireArchiveFolder } from "../../src/archive/folder.ts";
import { archiveOfBackup } from "../../src/backup/make-backup.ts";
import { archive, archiveFiles } from "./archiving.ts";

const skip = ON_POSTGRES && "backup is of a database in a file";

/** Copies the keys of a deployment alone: what its witness remembers can be newer than a backup. */
function keysOf(data: string): string {
  const keys = temporaryFolder();
  for (const name of ["signing-key.pem", "witness-key.pem", "pepper"]) cpSync(join(data, name), join(keys, name));
  return keys;
}

test("backup and restore say which files belong to them, and fsck is content once they are back", {
  skip,
}, async (t) => {
  const { client, made, server } = await startServer(t);
  await client.append(made.stream_id, loan(1));
  await client.witnessed(made.stream_id, 1);
  const home = temporaryFolder();
  const data = made.data_folder;
  const run = async (...words: string[]) => {
    const { code, out, err } = await command([...words, "--json"]);
    return { code, ...JSON.parse(out || "{}"), err };
  };
  assert.equal("archive" in (await run("backup", "--to", join(home, "before"), "--data", data)), false);
  await jobNamed(server, "archive").stop();
  await archive(server.service.context);
  const backup = await run("backup", "--to", join(home, "backup"), "--data", data);
  const { folder, files, bytes, missing } = backup.archive;
  assert.deepEqual([folder, files, missing], [join(data, "archive"), 1, 0]);
  assert.ok(bytes > 1000);
  const words = await command(["backup", "--to", join(home, "words"), "--data", data]);
  assert.match(words.out, /archive {6}not in it: 1 files with \d+ bytes in .* belong to it; copy that folder too/);

  const keys = keysOf(data);
  // The server goes on, and the archive is copied after the database.
  await client.append(made.stream_id, loan(2));
  await client.witnessed(made.stream_id, 2);
  await archive(server.service.context);

  const restored = join(home, "restored");
  const restore = await run("restore", "--from", join(home, "backup"), "--keys", keys, "--data", restored);
  assert.deepEqual([restore.code, restore.archive.missing], [0, 1], restore.err);
  const fsck = await run("fsck", "--data", restored);
  assert.equal(fsck.code, 1);
  assert.match(JSON.stringify(fsck.faults), /its file is missing/);
  assert.match(fsck.err, /Only the archive is at fault: put its folder, or those files, back/);
  cpSync(join(data, "archive"), join(restored, "archive"), { recursive: true });
  assert.equal(readdirSync(join(restored, "archive")).length, 3);
  const drill = await run("fsck", "--data", restored);
  assert.deepEqual([drill.code, drill.ok, drill.faults, drill.later_files.length], [0, true, [], 1], drill.err);
  const told = await command(["fsck", "--data", restored]);
  assert.match(told.out, /^Nothing is wrong\.\nNote: files of the archive are newer than all in this database \(str_/);
  assert.deepEqual(await run("fsck", "--data", data), { code: 0, ok: true, faults: [], err: "" });
  // Files that no server has made are a note as well, and no fault; a folder has some names by itself.
  for (const name of ["foreign.json", "two\nlines", ".hidden", "lost+found"])
    writeFileSync(join(restored, "archive", name), "x");
  const beside = await run("fsck", "--data", restored);
  const foreign = ["foreign.json", "two\nlines"];
  assert.deepEqual([beside.code, beside.faults, beside.foreign_files, beside.later_files.length], [0, [], foreign, 1]);
  const noted = await command(["fsck", "--data", restored]);
  assert.match(
    noted.out,
    /\nNote: the folder of the archive has files that no server has made \("foreign\.json", and 1 more\)\. /,
  );
  const { out: doctor } = await command(["doctor", "--data", restored]);
  assert.match(doctor, /Beside them are 2 that no server has made: fsck names them/);
  // One that the database could have named is still a fault.
  const [file = ""] = drill.later_files as string[];
  renameSync(join(restored, "archive", file), join(restored, "archive", file.replace(/bundle_0\w/, "bundle_00")));
  const stray = await run("fsck", "--data", restored);
  assert.deepEqual([stray.code, stray.faults.length, stray.later_files], [1, 1, undefined]);
});

test("files that were made behind the copy are not counted, and a folder without any is not missed", {
  skip,
}, async (t) => {
  const { client, made, server } = await startServer(t);
  await client.append(made.stream_id, loan(1));
  await client.witnessed(made.stream_id, 1);
  await jobNamed(server, "archive").stop();
  const { context } = server.service;
  const data = made.data_folder;
  const to = join(temporaryFolder(), "backup");
  // The folder is named in the database before its first file.
  await requireArchiveFolder(context.database, context.folder.archivePath);
  assert.equal((await command(["backup", "--to", to, "--data", data])).code, 0);
  await archive(context);
  assert.deepEqual([archiveFiles(context).length, await archiveOfBackup(to, context.folder)], [1, null]);

  const keys = keysOf(data);
  const restored = join(temporaryFolder(), "drill");
  const restore = await command(["restore", "--from", to, "--keys", keys, "--data", restored]);
  assert.equal(restore.code, 0, restore.err);
  const fsck = await command(["fsck", "--data", restored]);
  assert.deepEqual([fsck.code, fsck.err], [0, ""], fsck.out);
});
