/** The program as an operator runs it: one file, alone in its folder, with plain Node. */
import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pinKeys, verify } from "@svc/core";
import { bodyOf, TestLog } from "@svc/testkit/evidence/log";
import { command, environmentOf, startWitness } from "@svc/testkit/svc-witness";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
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

  const witness = await startWitness(t, environment);
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
  assert.equal((await add(witness, bodyOf(3, [], await log.note(3, { root: new Uint8Array(32) })))).status, 422);
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
  const restored = await startWitness(t, environment);
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

test("the name of a log does nothing to the terminal", async () => {
  const environment = environmentOf(temporaryFolder());
  const log = new TestLog("log.example/\u009b2J\u202e");
  assert.equal((await command(["init", "--name", NAME], environment)).code, 0);
  const list = join(temporaryFolder(), "logs.list");
  writeFileSync(list, `logs/v0\nvkey ${log.vkey}\nvkey \u009b1A\n`);
  const pulled = await command(["origins", "pull", "--list", list], environment);
  const listed = await command(["origins", "list"], environment);
  for (const { out, err } of [pulled, listed]) {
    assert.match(out, /log\.example\/\\u\{9b\}2J\\u\{202e\}/);
    assert.doesNotMatch(out + err, /[\u007f-\u009f\u202e]/);
  }
  assert.match(pulled.err, /u\{9b\}1A/);
});

test("a list of logs adds what is new, and neither changes nor removes what is known", async () => {
  const folder = temporaryFolder();
  const environment = environmentOf(folder);
  const [one, two, three] = [new TestLog("log.example/1"), new TestLog("log.example/2"), new TestLog("log.example/3")];
  const file = join(folder, "list");
  const pull = async (...vkeys: string[]) => {
    writeFileSync(file, `logs/v0\n\n${vkeys.map((vkey) => `vkey ${vkey}\nqpd 24\ncontact nobody\n`).join("\n")}`);
    return command(["origins", "pull", "--list", file], environment);
  };
  assert.equal((await command(["init", "--name", NAME], environment)).code, 0);
  const nothing = { code: 0, out: "", err: "" };
  assert.deepEqual(await pull(), nothing);
  const out = "Added log.example/1\nAdded log.example/2\n";
  assert.deepEqual(await pull(one.vkey, two.vkey), { ...nothing, out });
  assert.deepEqual(await pull(one.vkey, two.vkey), nothing);
  // A log stays that the list no longer has; another key for a known log, and an invalid key, are not added.
  const other = new TestLog(one.origin, "another key").vkey;
  const answer = await pull(other, "no key", three.vkey);
  assert.deepEqual([answer.code, answer.out], [0, "Added log.example/3\n"]);
  assert.match(answer.err, /^log\.example\/1 has another key in the list.*\n.*"no key" cannot be used/);
  writeFileSync(file, `logs/v0\nvkey ${new TestLog("key.example").vkey}\norigin log.example/4\n`);
  const { err } = await command(["origins", "pull", "--list", file], environment);
  assert.match(err, /"log\.example\/4" is not added: its key has the name "key\.example"/);
  const { out: listed } = await command(["origins", "list"], environment);
  assert.deepEqual(listed.match(/^\S+/gm), [one.origin, two.origin, three.origin]);
  assert.ok(listed.includes(one.vkey));
  writeFileSync(file, "<html>");
  assert.equal((await command(["origins", "pull", "--list", file], environment)).code, 64);
});
