/**
 * The commands of a program of more families than the thin server, and the thin server on the same data folder: it
 * leaves the tables of the other alone.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { ON_FILE } from "@svc/testkit/drivers";
import { loan } from "@svc/testkit/server/loan";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { THIN_SERVER } from "../../src/thin-server/program.ts";
import { change, command, made, serving } from "./programs.ts";
import { WITH_NOTES } from "./throw-away/program.ts";

test("fsck and doctor of a program look into the tables of its families", ON_FILE, async (t) => {
  const deployment = await made();
  await serving(WITH_NOTES, deployment, ({ add }) => add("one"));
  const sound = await command("svc-notes", ["fsck"], deployment.data_folder);
  assert.deepEqual([sound.code, sound.out], [0, "Nothing is wrong.\n"]);
  const { out } = await command("svc-notes", ["doctor", "--json"], deployment.data_folder);
  const said = new Map(
    (JSON.parse(out).findings as { check: string; says: string }[]).map(({ check, says }) => [check, says]),
  );
  assert.equal(said.get("notes"), "can be read");
  assert.match(said.get("schema") ?? "", /^version \d+, platform version 1, as this release makes it$/);
  await change(t, deployment, "INSERT INTO notes (text) VALUES ('bad'); DROP INDEX notes_by_text");
  const faulty = await command("svc-notes", ["fsck"], deployment.data_folder);
  assert.equal(faulty.code, 1);
  assert.match(
    faulty.out,
    /^schema \{"table":"notes","index":"notes_by_text"\}: it is missing\nnotes \{"text":"bad"\}: it is bad$/m,
  );
});

test("the thin server serves the same folder, leaves the other's tables alone, and says so", ON_FILE, async (t) => {
  const deployment = await made();
  await serving(THIN_SERVER, deployment, ({ client }) => client.append(deployment.stream_id, loan(1)));
  await serving(WITH_NOTES, deployment, ({ add }) => add("kept"));
  await serving(THIN_SERVER, deployment, async ({ client, list }) => {
    assert.equal((await client.append(deployment.stream_id, loan(2), "second")).status, 201);
    assert.equal((await list()).status, 404);
  });
  const fsck = await command("svc-server", ["fsck"], deployment.data_folder);
  assert.equal(fsck.code, 0, fsck.out);
  assert.match(fsck.out, /^Nothing is wrong\.\nNote: 2 tables belong to svc-platform, and svc-server does not look/);
  const doctor = await command("svc-server", ["doctor", "--json"], deployment.data_folder);
  const finding = (JSON.parse(doctor.out).findings as { check: string; state: string }[]).filter(({ check }) =>
    ["schema", "tables of others"].includes(check),
  );
  assert.deepEqual(
    finding.map(({ check, state }) => [check, state]),
    [
      ["schema", "ok"],
      ["tables of others", "ok"],
    ],
  );
  // A table that neither of them has made is a fault of both.
  await change(t, deployment, "CREATE TABLE strangers (name TEXT)");
  for (const name of ["svc-server", "svc-notes"] as const) {
    const { code, out } = await command(name, ["fsck"], deployment.data_folder);
    assert.deepEqual([code, out.split("\n")[0]], [1, 'schema {"table":"strangers"}: the server has not made it']);
  }
  await change(t, deployment, "DROP TABLE strangers");
  await serving(WITH_NOTES, deployment, async ({ client, list }) => {
    assert.deepEqual((await list()).body.notes, ["kept"]);
    const { body } = await client.get(`/v2/streams/${deployment.stream_id}/events`);
    assert.equal(body.items.length, 2);
  });
});

test("a backup of the one is restored by the other", ON_FILE, async () => {
  const deployment = await made();
  await serving(WITH_NOTES, deployment, ({ add }) => add("kept"));
  const folder = temporaryFolder();
  for (const [from, to] of [
    ["svc-notes", "svc-server"],
    ["svc-server", "svc-notes"],
  ] as const) {
    const [backup, restored] = [join(folder, `${from}-backup`), join(folder, `${to}-data`)];
    const taken = await command(from, ["backup", "--to", backup], deployment.data_folder);
    assert.equal(taken.code, 0, taken.err);
    const brought = await command(to, ["restore", "--from", backup, "--keys", deployment.data_folder], restored);
    assert.equal(brought.code, 0, brought.err);
    assert.equal((await command(to, ["accept-loss"], restored)).code, 0);
    await serving(WITH_NOTES, { ...deployment, data_folder: restored }, async ({ list }) =>
      assert.deepEqual((await list()).body.notes, ["kept"]),
    );
  }
});
