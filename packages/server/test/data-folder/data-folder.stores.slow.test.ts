/** The data folder: made whole or not at all, and refused if its files do not belong together. */
import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { systemClock } from "@svc/host/clock";
import { ON_FILE, ON_POSTGRES } from "@svc/testkit/drivers";
import { command, startChild } from "@svc/testkit/server/child-process";
import { configOf, settingsOf } from "@svc/testkit/server/folder-database";
import { makeDeployment, openDatabaseOf, openDeployment } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { createDataFolder, prepareDataFolder, stateOf } from "../../src/data-folder/data-folder.ts";
import { lockFile, lockFolder } from "../../src/data-folder/folder-lock.ts";
import { initialize } from "../../src/initialize.ts";
import { kernel } from "../../src/kernel.ts";
import { openService } from "../../src/serving/open-service.ts";
import { newSigningKeyPem } from "../../src/signing/file-signer.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";

async function open(dataFolder: string): Promise<void> {
  const config = await configOf({ SVC_DATA: dataFolder });
  const service = await openService({ program: THIN_SERVER, config, kernel, clock: systemClock });
  await service.close();
}

async function deployment(): Promise<string> {
  const folder = join(temporaryFolder(), "data");
  await makeDeployment(folder);
  return folder;
}

test("an init that was cut off anywhere is made again, and its keys are not used", async () => {
  const folder = join(temporaryFolder(), "data");
  prepareDataFolder(folder);
  createDataFolder(folder, newSigningKeyPem);
  const cutOff = readFileSync(join(folder, "witness-key.pem"), "utf8");
  assert.equal(stateOf(folder), "unfinished");
  await assert.rejects(open(folder), /cut off.*init/);
  const keys = await command(["keys", "create", "--data", folder]);
  assert.equal(keys.code, 1);
  assert.match(keys.err, /Run "init" on it again/);
  await makeDeployment(folder);
  assert.notEqual(readFileSync(join(folder, "witness-key.pem"), "utf8"), cutOff);
  await open(folder);
  const ofStore = ON_POSTGRES ? ["database.json", "exports"] : ["place.json", "svc.db"];
  assert.deepEqual(
    readdirSync(folder).sort(),
    ["pepper", "reserve", "server.lock", "signing-key.pem", "witness-key.pem", "witness.db", ...ofStore].sort(),
  );
});

test("of two that make a folder at once, one does, and the folder is what it says", async (t) => {
  const folder = join(temporaryFolder(), "data");
  const [first, second] = await Promise.allSettled([makeDeployment(folder), makeDeployment(folder)]);
  assert.ok(first?.status === "fulfilled" && second?.status === "rejected");
  assert.match(String(second.reason), /Another svc-server .* is just making it/);
  const database = await openDatabaseOf(t, folder);
  const key = await database.read((reader) => reader.first<{ kid: string }>("SELECT kid FROM signing_keys"));
  assert.equal(key?.kid, first.value.kid);
  await open(folder);
});

test("an init that fails leaves nothing behind but the lock", async () => {
  const folder = join(temporaryFolder(), "data");
  const options = {
    dataFolder: folder,
    databaseSettings: await settingsOf(folder),
    tenantName: "t",
    systemName: "s",
    useCase: "u",
    withKey: false,
    kernel,
  };
  const clock = () => {
    throw new Error("no clock");
  };
  await assert.rejects(
    initialize({ program: THIN_SERVER, ...options, origin: "demo.example/evidence", clock }),
    /no clock/,
  );
  assert.deepEqual(readdirSync(folder), ["server.lock"]);
});

test("a folder that was there before is closed to others", async () => {
  const folder = join(temporaryFolder(), "data");
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  await makeDeployment(folder);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
});

test("the lock and what lies beside it are readable by their owner only", async () => {
  const folder = await deployment();
  const unlock = lockFolder(folder);
  for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
  unlock();
});

test("a lock that others may read is closed to them before it is taken", () => {
  const file = join(temporaryFolder(), "any.lock");
  const mode = () => statSync(file).mode & 0o777;
  const before = process.umask(0);
  try {
    lockFile(file, "it is taken")();
    assert.equal(mode(), 0o600);
    chmodSync(file, 0o644);
    const unlock = lockFile(file, "it is taken");
    assert.equal(mode(), 0o600);
    assert.throws(() => lockFile(file, "it is taken"), /it is taken/);
    unlock();
  } finally {
    process.umask(before);
  }
});

test("another witness key is refused, and so is the sealing key as witness", async () => {
  for (const replacement of [newSigningKeyPem, (folder: string) => readFileSync(join(folder, "signing-key.pem"))]) {
    const folder = await deployment();
    writeFileSync(join(folder, "witness-key.pem"), replacement(folder));
    await assert.rejects(open(folder), /witness-key\.pem.*Put the original back/);
  }
});

test("another sealing key is refused, also where only the database's row was changed", async (t) => {
  const folder = await deployment();
  writeFileSync(join(folder, "signing-key.pem"), newSigningKeyPem());
  await assert.rejects(open(folder), /signing-key\.pem.*back/);
  const { made, database } = await openDeployment(t);
  await database.write((writer) => writer.run("UPDATE signing_keys SET public_key_hex = $1", "ee".repeat(32)));
  await database.close();
  await assert.rejects(open(made.data_folder), /signing-key\.pem/);
});

test("another pepper is refused, by the server and by keys create", async () => {
  const folder = await deployment();
  writeFileSync(join(folder, "pepper"), new Uint8Array(32));
  await assert.rejects(open(folder), /pepper.*[Pp]ut the (?:original|file) back/);
  const { err } = await command(["keys", "create", "--data", folder]);
  assert.match(err, /pepper/);
});

test("an emptied database is refused, and the message says to keep the keys", ON_FILE, async () => {
  const folder = await deployment();
  writeFileSync(join(folder, "svc.db"), "");
  await assert.rejects(open(folder), (error: Error) => {
    assert.match(error.message, /emptied or replaced.*backup.*Keep the keys/);
    assert.doesNotMatch(error.message, /delete/);
    return true;
  });
});

test(
  "a folder of another user is refused by every command, also by root's: what it made there would be closed to the " +
    "server",
  async (t) => {
    const isRoot = process.geteuid?.() === 0;
    const folder = isRoot ? await deployment() : "/";
    if (isRoot) chownSync(folder, 65_534, 65_534);
    for (const words of [
      ["start", "--port", "0"],
      ["init", "--origin", "demo.example"],
      ["keys", "rotate-signing"],
      ["fsck"],
    ])
      await t.test(words[0], async () => {
        const { code, err } = await command([...words, "--data", folder]);
        assert.equal(code, 1);
        assert.match(err, /belongs to user \d+, and this is user \d+.*sudo -u/);
      });
  },
);

test("a private file that others may read is refused at the start, with what to do", async () => {
  for (const name of ["signing-key.pem", "witness-key.pem", "pepper", "secrets-key", "secrets-key.next"])
    for (const mode of [0o640, 0o604]) {
      const folder = await deployment();
      const file = join(folder, name);
      // The last two are made by programs that keep secrets.
      if (!existsSync(file)) writeFileSync(file, Buffer.alloc(32, 1));
      chmodSync(file, mode);
      await assert.rejects(open(folder), (error: Error) => {
        assert.ok(error.message.includes(`${name} has mode 0${mode.toString(8)}`), error.message);
        assert.match(error.message, /chmod 0600 .*stolen/);
        return true;
      });
      chmodSync(file, 0o600);
      await open(folder);
    }
});

test("a system error about a folder says what to do", async () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  for (const words of [["start", "--port", "0"], ["init", "--origin", "demo.example"], ["fsck"]]) {
    const { code, err } = await command([...words, "--data", file]);
    assert.equal(code, 1);
    assert.match(err, /is no folder.*--data/);
  }
});

test("a system error about the database's file says what to do, and doctor goes on", ON_FILE, async () => {
  const folder = await deployment();
  writeFileSync(join(folder, "svc.db"), Buffer.alloc(8192, 7));
  for (const words of [["start", "--port", "0"], ["fsck"], ["backup", "--to", join(temporaryFolder(), "b")]]) {
    const { code, err } = await command([...words, "--data", folder]);
    assert.equal(code, 1);
    assert.match(err, /file is not a database.*Put a backup back/);
  }
  rmSync(join(folder, "server.lock"));
  mkdirSync(join(folder, "server.lock"));
  const { out } = await command(["doctor", "--data", folder]);
  assert.match(out, /fail {2}lock .*fail {2}database/s);
});

test(
  "a folder and a database that others may read are closed at the start, and told of; keys are left as they are, " +
    "and refused",
  ON_FILE,
  async (t) => {
    const folder = await deployment();
    mkdirSync(join(folder, "exports"), { mode: 0o700 });
    for (const [name, mode] of [
      ["", 0o755],
      ["svc.db", 0o666],
      ["exports", 0o750],
    ] as const)
      chmodSync(join(folder, name), mode);
    const log = join(temporaryFolder(), "log");
    const child = await startChild(t, folder, { SVC_LOG_LEVEL: "warn" }, ["sh", "-c", `exec "$@" 2>"${log}"`, "sh"]);
    const modes = ["", "svc.db", "exports"].map((name) => statSync(join(folder, name)).mode & 0o777);
    assert.deepEqual(modes, [0o700, 0o600, 0o700]);
    const logged = readFileSync(log, "utf8");
    for (const was of ["data had mode 0755", "svc.db had mode 0666", "exports had mode 0750"])
      assert.ok(logged.includes(was), logged);
    assert.equal(await child.end("SIGTERM"), 0);
  },
);
