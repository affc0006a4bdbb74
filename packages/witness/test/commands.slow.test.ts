/** The program as an operator runs it: one file, alone in its folder, with plain Node. */
import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pinKeys, verify } from "@svc/core";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { bodyOf, TestLog } from "./log.ts";
import { command, environmentOf, startProgram } from "./program.ts";
import { add, kernel, NAME } from "./running.ts";

test("from nothing to a witness that cosigns, convicts, is copied and cannot be set back", async (t) => {
  const folder = temporaryFolder();
  const environment = environmentOf(folder);
  const run = (...words: string[]) => command(words, environment);
  const done = async (...words: string[]) => {
    const { code, out, err } = await run(...words);
    assert.deepEqual([code, err], [0, ""], words.join(" "));
    return out;
  };
  const log = new TestLog("log.example/one").growTo(3);

  assert.equal((await run("start")).code, 1);
  assert.match((await run("key")).err, /There is no witness in .* Make one with svc-witness init/);
  assert.equal((await run("init")).code, 64);
  assert.equal((await run("init", "--name", "a+b")).code, 64);
  assert.match(await done("init", "--name", NAME), /Made the witness/);
  assert.equal((await run("init", "--name", NAME)).code, 1);
  for (const wrong of ["x", log.vkey.replace("+", "+0"), (await done("key")).trim()])
    assert.equal((await run("origins", "add", "--vkey", wrong)).code, 64, wrong);
  assert.match(await done("doctor"), /warn {2}origins: none/);

  const witness = await startProgram(t, environment);
  assert.equal(await done("key"), `${witness.vkey}\n`);
  // Commands work beside the running witness, which notices at once.
  assert.equal((await add(witness, await log.body(0))).status, 404);
  assert.match(await done("origins", "add", "--vkey", log.vkey), /Added log\.example\/one/);
  assert.equal((await add(witness, await log.body(0))).status, 200);
  assert.match(await done("origins", "list"), /^log\.example\/one {2}size 3 {2}log\.example\/one\+/);
  const backup = join(folder, "backup.sqlite");
  await done("backup", "--to", backup);
  assert.equal(statSync(backup).mode & 0o077, 0);
  assert.match(await done("forks", "list"), /No log/);
  assert.equal((await add(witness, bodyOf(3, [], await log.note(3, { root: new Uint8Array(32) })))).status, 409);
  const [line = ""] = (await done("forks", "list", "--json")).split("\n");
  const { file } = JSON.parse(line) as { file: string };
  const report = verify(readFileSync(file), { kernel, trust: pinKeys(kernel, [log.signer.publicKeyHex]) });
  assert.equal(report.verdict, "verified");
  await done("origins", "remove", "--origin", log.origin);
  assert.equal((await add(witness, await log.body(3))).status, 404);
  assert.equal((await run("origins", "remove", "--origin", log.origin)).code, 1);
  await done("origins", "add", "--vkey", log.vkey);
  // It remembers what it has cosigned.
  assert.equal((await add(witness, await log.body(0))).text, "3\n");
  const { code, err } = await run("start");
  assert.deepEqual([code, err.includes("Another svc-witness runs")], [1, true]);
  assert.doesNotMatch(err, /\bat .*mjs/);

  // The backup lacks nothing that was signed: it serves, and is no copy any more.
  assert.equal(await witness.end("SIGTERM"), 0);
  const database = join(folder, "data/witness.sqlite");
  assert.equal(existsSync(`${database}-wal`), false);
  rmSync(database);
  copyFileSync(backup, database);
  const restored = await startProgram(t, environment);
  assert.equal((await add(restored, await log.growTo(5).body(3))).status, 200);
  assert.equal(await restored.end("SIGINT"), 0);
  // Now it does: it is refused, and says what to do.
  rmSync(database);
  copyFileSync(backup, database);
  const refused = await run("start");
  assert.equal(refused.code, 1);
  assert.match(refused.err, /rolled back.*Put the newest database back.*retire this witness/);
  assert.equal((await run("doctor")).code, 1);
});
