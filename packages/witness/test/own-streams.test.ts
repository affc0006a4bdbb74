/** The checkpoints of our streams: the witness cosigns their notes, and core counts the cosignature. */
import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  encodeBase64,
  hexToBytes,
  openNote,
  parseVerificationKey,
  referenceKernel,
  verificationKey,
  windowHash,
} from "@svc/core";
import { bodyOf, TestLog } from "@svc/testkit/evidence/log";
import { issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { run } from "../src/commands/program.ts";
import { openDatabase, openWitness } from "../src/database.ts";
import { addVkey, removeOrigin } from "../src/origins/origins-store.ts";
import { add, configOf, get, kernel, madeWitness, started } from "./running.ts";

test("each checkpoint of a stream is cosigned, and the cosignature verifies with core", async (t) => {
  const { checkpoints, windows } = await issueStream(24);
  assert.ok(checkpoints.length > 1);
  const [first] = checkpoints;
  const vkey = verificationKey(kernel, first?.origin ?? "", SERVICE.publicKeyHex);
  const witness = await started(t, await madeWitness(vkey));
  const leaves = windows.map((window) => kernel.leafHash(hexToBytes(windowHash(referenceKernel, window))));
  const key = parseVerificationKey(kernel, witness.vkey);
  assert.ok(key.ok);
  let old = 0;
  for (const { note, window_count } of checkpoints) {
    const proof = old === 0 ? [] : kernel.proveConsistency(leaves.slice(0, window_count), old);
    const answer = await add(witness, bodyOf(old, proof.map(encodeBase64), note));
    assert.equal(answer.status, 200, answer.text);
    const opened = openNote(kernel, `${note}${answer.text}`, [key.key]);
    assert.ok(opened.ok);
    assert.equal(opened.signatures.length, 1);
    old = window_count;
  }
});

test("the streams of a service are logs by its key, if the operator says so, and of no other service", async (t) => {
  const { checkpoints } = await issueStream(2);
  const [first] = checkpoints;
  assert.ok(first !== undefined);
  const service = first.origin.slice(0, first.origin.lastIndexOf("/"));
  const vkey = verificationKey(kernel, service, SERVICE.publicKeyHex);
  const folder = await madeWitness(vkey);
  const witness = await started(t, folder);
  const status = async (note = first.note) => (await add(witness, bodyOf(0, [], note))).status;
  assert.equal(await status(), 404);
  const database = await openDatabase(configOf(folder).dataFolder);
  t.after(() => database.close());
  const row = { origin: service, vkey, added_at: "2026-11-26T00:00:00.000Z", streams: 1 };
  const says = (streams: number) => database.write((writer) => addVkey(writer, { ...row, streams }));
  assert.deepEqual([await says(0), await says(1), await says(1), await says(0)], [false, true, false, false]);
  assert.equal(await status(), 200);
  assert.equal(await status(first.note.replaceAll(service, `${service}/deeper`)), 404);
  assert.equal(await status(first.note.replaceAll(first.origin, `${service}/another`)), 404);
  assert.equal(await status(first.note.replaceAll("str_", "str_0")), 404);
  // A stream of the service that somebody else signs.
  const other = first.origin.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  assert.equal(await status(first.note.replaceAll(first.origin, other)), 403);
  await database.write((writer) => removeOrigin(writer, service));
  assert.equal(await status(), 404);
});

for (const first of ["the key of the service", "the list"])
  test(`a list takes no stream of a service whose key signs its streams: ${first} comes first`, async (t) => {
    const { checkpoints } = await issueStream(2);
    const [checkpoint] = checkpoints;
    assert.ok(checkpoint !== undefined);
    const { origin, note } = checkpoint;
    const vkey = verificationKey(kernel, origin.slice(0, origin.lastIndexOf("/")), SERVICE.publicKeyHex);
    const stranger = new TestLog(origin, "stranger").growTo(2);
    const folder = await madeWitness();
    const list = join(folder, "logs.list");
    // The key of the service itself is the one that the witness knows already.
    const own = verificationKey(kernel, origin, SERVICE.publicKeyHex);
    writeFileSync(list, `logs/v0\nvkey ${stranger.vkey}\nvkey ${own}\n`);
    const { dataFolder } = configOf(folder);
    const says = async (...words: string[]) => {
      const printed = [
        t.mock.method(console, "log", () => undefined),
        t.mock.method(console, "error", () => undefined),
      ];
      assert.equal(await run(["origins", ...words, "--data", dataFolder]), 0);
      const lines = printed.flatMap(({ mock }) => mock.calls.map((call) => String(call.arguments[0])));
      for (const { mock } of printed) mock.restore();
      return lines.join("\n");
    };
    const cover = () => says("add", "--streams", "--vkey", vkey);
    const pull = () => says("pull", "--list", list);
    if (first === "the list") {
      assert.match(await pull(), /^Added test/);
      assert.match(await cover(), /^Added .*\n.* had a key from a list.*: it counts no more/);
    } else {
      assert.match(await cover(), /^Added [^\n]*$/);
      assert.match(await pull(), /^[^\n]*is a stream of [^\n]*Nothing is added[^\n]*$/);
    }
    const witness = await started(t, folder);
    assert.equal((await add(witness, await stranger.body(0))).status, 403);
    assert.equal((await add(witness, bodyOf(0, [], note))).status, 200);
    assert.equal((await add(witness, bodyOf(checkpoint.window_count, [], await stranger.note(1)))).status, 403);
    assert.equal((await get(witness, "/forks")).text, '{"forks":[]}');
    // The service's key covers the stream: a separate key is not added, and the list's did not stay.
    assert.equal(await run(["origins", "add", "--vkey", stranger.vkey, "--data", dataFolder]), 1);
    assert.doesNotMatch(await says("list"), /\/str_/);
  });

test("a stream that a list had taken is given back: other sizes are cosigned, and what may be honest stays", async (t) => {
  const { checkpoints } = await issueStream(24);
  const [first, second] = checkpoints;
  assert.ok(first !== undefined && second !== undefined);
  const { origin } = first;
  const service = origin.slice(0, origin.lastIndexOf("/"));
  const [serviceKey, own] = [service, origin].map((name) => verificationKey(kernel, name, SERVICE.publicKeyHex));
  const stranger = new TestLog(origin, "stranger");
  const folder = await madeWitness();
  const { dataFolder, keysFolder } = configOf(folder);
  process.env.SVC_WITNESS_KEYS = keysFolder;
  t.after(() => delete process.env.SVC_WITNESS_KEYS);
  const list = join(folder, "logs.list");
  writeFileSync(list, `logs/v0\nvkey ${stranger.vkey}\n`);
  const origins = (...words: string[]) => run(["origins", ...words, "--data", dataFolder]);
  const disown = (vkey = stranger.vkey, name = service) => origins("disown", "--vkey", vkey, "--never-a-key-of", name);
  const filled = (byte: number) => ({ root: new Uint8Array(32).fill(byte) });
  const huge = Number.MAX_SAFE_INTEGER;
  await t.test("the stranger", async (inner) => {
    assert.equal(await origins("pull", "--list", list), 0);
    const witness = await started(inner, folder);
    const status = async (old: number, size: number, byte: number) =>
      (await add(witness, bodyOf(old, [], await stranger.note(size, filled(byte))))).status;
    assert.equal(await status(0, first.window_count, 1), 200);
    assert.equal(await status(first.window_count, first.window_count, 2), 422);
    // The service that covers the stream must be known before the stranger's key is disowned.
    assert.equal(await disown(), 1);
    assert.equal(await origins("add", "--streams", "--vkey", serviceKey ?? ""), 0);
    assert.equal((await add(witness, bodyOf(0, [], second.note))).text, `${first.window_count}\n`);
    assert.equal(await disown(), 1, "the witness runs");
    assert.notEqual((await get(witness, "/forks")).text, '{"forks":[]}');
  });
  assert.equal(await origins("disown", "--vkey", stranger.vkey), 1, "no word was given");
  assert.equal(await disown(stranger.vkey, "another.example"), 1);
  assert.equal(await disown(own), 1, "the key is that of the service");
  assert.equal(await disown(), 0);
  assert.equal(await disown(), 1, "nothing is left of it");
  // Without these rows another root of their sizes would be cosigned: they are bound as the last trees are.
  const database = await openDatabase(dataFolder);
  for (const change of ["tree_size = tree_size + 1", "root_hash = replace(root_hash, '0', '1')"]) {
    await database.write((writer) =>
      writer.script(`CREATE TABLE kept AS SELECT * FROM disowned; UPDATE disowned SET ${change}`),
    );
    await assert.rejects(openWitness(kernel, configOf(folder)), /rows were lost or changed/);
    await database.write((writer) => writer.script("DELETE FROM disowned"));
    await assert.rejects(openWitness(kernel, configOf(folder)), /rows were lost or changed/);
    await database.write((writer) => writer.script("INSERT INTO disowned SELECT * FROM kept; DROP TABLE kept"));
  }
  await database.close();
  await t.test("the service", async (inner) => {
    const witness = await started(inner, folder);
    assert.equal((await get(witness, "/forks")).text, '{"forks":[]}');
    assert.deepEqual(readdirSync(join(dataFolder, "forks")), []);
    assert.equal(
      (await add(witness, bodyOf(0, [], first.note))).status,
      422,
      "a size that was cosigned with another root",
    );
    assert.equal((await add(witness, bodyOf(0, [], await stranger.note(huge, filled(1))))).status, 403);
    assert.equal((await add(witness, bodyOf(0, [], second.note))).status, 200);
  });
  // It was cosigned for the service now.
  assert.equal(await disown(), 1);
  assert.equal(await disown(own), 1);
});
