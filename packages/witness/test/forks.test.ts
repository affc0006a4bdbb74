/** Logs that sign two histories: they are refused, and evidence convinces somebody who has nothing but its file. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type ForkEvidence, type PublicKeyHex, pinKeys, verify } from "@svc/core";
import { bodyOf, TestLog } from "@svc/testkit/evidence/log";
import { diagnose } from "../src/diagnose.ts";
import { MAX_REFUSED_NOTES } from "../src/limits.ts";
import { add, configOf, get, kernel, madeWitness, started } from "./running.ts";

const ORIGIN = "log.example/forked";
const TOKEN = "0123456789abcdef";

/** Returns two histories under one key that agree up to a size. */
function parted(upTo: number): [TestLog, TestLog] {
  return [new TestLog(ORIGIN).growTo(upTo), new TestLog(ORIGIN).growTo(upTo)];
}

async function forksAt(witness: { readonly url: string }) {
  const { forks } = JSON.parse((await get(witness, "/forks")).text) as {
    forks: { fork_id: string; origin: string; tree_size: number; key_count: number }[];
  };
  return forks;
}

/** Asserts that the one piece of evidence holds, on the route and in the folder. */
async function assertEvidence(witness: { readonly url: string }, folder: string, log: TestLog, size: number) {
  const forks = await forksAt(witness);
  assert.deepEqual(
    forks.map(({ origin, tree_size }) => [origin, tree_size]),
    [[ORIGIN, size]],
  );
  const { fork_id = "" } = forks[0] ?? {};
  const file = readFileSync(join(configOf(folder).dataFolder, "forks", `${fork_id}.json`));
  assert.equal((await get(witness, `/forks/${fork_id}`)).text, file.toString());
  const pinned = verify(file, { kernel, trust: pinKeys(kernel, [log.signer.publicKeyHex]) });
  assert.deepEqual([pinned.kind, pinned.verdict], ["fork", "verified"]);
  // Without a pinned key the evidence is true as well; whose it is, the verifier must say.
  assert.equal(verify(file, { kernel }).verdict, "untrusted");
  const evidence = JSON.parse(file.toString()) as ForkEvidence;
  assert.equal(evidence.kind, "note");
  const swapped = { ...evidence, right: evidence.left };
  assert.equal(verify(kernel.canonicalize(swapped), { kernel }).verdict, "rejected");
}

test("two roots of the recorded size", async (t) => {
  const [left, right] = parted(3);
  const folder = await madeWitness(left.vkey);
  const witness = await started(t, folder, { environment: { SVC_WITNESS_METRICS_TOKEN: TOKEN } });
  const counted = async () =>
    /^svc_witness_forks (\d+)$/m.exec((await get(witness, "/metrics", { authorization: `Bearer ${TOKEN}` })).text)?.[1];
  assert.equal((await add(witness, await left.growTo(5).body(0))).status, 200);
  assert.deepEqual(await forksAt(witness), []);
  assert.equal(await counted(), "0");
  const body = bodyOf(5, [], await right.growTo(5, "other").note());
  for (let i = 0; i < 3; i++) assert.equal((await add(witness, body)).status, 422);
  await assertEvidence(witness, folder, left, 5);
  assert.equal(await counted(), "1");
});

test("a copy of a log that falls behind is convicted by the size that both signed", async (t) => {
  const [left, right] = parted(3);
  const folder = await madeWitness(left.vkey);
  const witness = await started(t, folder);
  assert.equal((await add(witness, await left.body(0))).status, 200);
  assert.equal((await add(witness, await left.growTo(4).body(3))).status, 200);
  assert.equal((await add(witness, await left.growTo(7).body(4))).status, 200);
  assert.equal((await add(witness, await right.growTo(4, "other").body(3))).status, 409);
  await assertEvidence(witness, folder, left, 4);
});

test("a refused checkpoint convicts its log when the other history comes to that size", async (t) => {
  const [left, right] = parted(3);
  const folder = await madeWitness(left.vkey);
  const witness = await started(t, folder);
  assert.equal((await add(witness, await left.growTo(4).body(0))).status, 200);
  right.growTo(6, "other");
  assert.equal((await add(witness, bodyOf(4, right.proof(4), await right.note()))).status, 422);
  assert.deepEqual(await forksAt(witness), []);
  assert.equal((await add(witness, await left.growTo(6).body(4))).status, 200);
  await assertEvidence(witness, folder, left, 6);
});

/** The first rate sets no limit, so that a flood reaches the room of notes; a flood uses up the second one at once. */
for (const rate of ["0", "1"])
  test(`at a rate of ${rate}, no flood of old notes reaches evidence that can still meet`, async (t) => {
    const [left, right] = parted(3);
    const folder = await madeWitness(left.vkey);
    const witness = await started(t, folder, { environment: { SVC_WITNESS_ORIGIN_RATE: rate } });
    assert.equal((await add(witness, await left.growTo(400).body(0))).status, 200);
    const flood = async (from: number, to: number) => {
      const sizes = Array.from({ length: to - from }, (_, i) => from + i);
      const notes = await Promise.all(sizes.map((size) => left.note(size, { root: new Uint8Array(32) })));
      const answers = await Promise.all(notes.map((note, i) => add(witness, bodyOf(from + i, [], note))));
      assert.deepEqual([...new Set(answers.map(({ status, text }) => `${status} ${text}`))], ["409 400\n"]);
    };
    await flood(1, 10);
    assert.equal((await add(witness, bodyOf(400, [], await right.growTo(600, "other").note()))).status, 422);
    await flood(10, 10 + MAX_REFUSED_NOTES);
    assert.equal((await add(witness, await left.growTo(600).body(400))).status, 200);
    await assertEvidence(witness, folder, left, 600);
  });

test("evidence is found at once, however many old notes come", async (t) => {
  const [left, right] = parted(3);
  const folder = await madeWitness(left.vkey);
  const witness = await started(t, folder, { environment: { SVC_WITNESS_ORIGIN_RATE: "1" } });
  assert.equal((await add(witness, await left.growTo(30).body(0))).status, 200);
  for (let size = 10; size < 20; size++) assert.equal((await add(witness, await left.body(0, size))).status, 409);
  assert.equal((await add(witness, await right.growTo(10, "other").body(0))).status, 409);
  await assertEvidence(witness, folder, left, 10);
});

/** Resolves to the keys that must be pinned for each piece, the newest first, after it was held to them. */
async function keysToPin(witness: { readonly url: string }, logs: Readonly<Record<string, TestLog>>) {
  const pinned: string[][] = [];
  for (const { fork_id, key_count } of await forksAt(witness)) {
    const { text } = await get(witness, `/forks/${fork_id}`);
    const verdictOf = (...keys: readonly string[]) =>
      verify(Buffer.from(text), { kernel, trust: pinKeys(kernel, keys as PublicKeyHex[]) }).verdict;
    const hinted = ((JSON.parse(text) as ForkEvidence).key_hints ?? []).map(({ public_key_hex }) => public_key_hex);
    assert.deepEqual([hinted.length, verdictOf(...hinted)], [key_count, "verified"]);
    if (hinted.length > 1) for (const key of hinted) assert.notEqual(verdictOf(key), "verified");
    const named = Object.entries(logs).filter(([, { signer }]) => hinted.includes(signer.publicKeyHex));
    pinned.push(named.map(([name]) => name));
  }
  return pinned;
}

test("evidence names the keys under which it holds: one, unless two keys of the log told a history each", async (t) => {
  const grown = (label: string) => new TestLog(ORIGIN, label).growTo(5);
  const [k1, k2, k3] = [grown("k1"), grown("k2"), grown("k3")];
  const witness = await started(t, await madeWitness(k1.vkey, k2.vkey, k3.vkey));
  const refused = async (log: TestLog, fill: number) =>
    assert.equal((await add(witness, bodyOf(5, [], await log.note(5, { root: filled(fill) })))).status, 422);
  const filled = (byte: number) => new Uint8Array(32).fill(byte);
  assert.equal((await add(witness, await k1.body(0))).status, 200);
  await refused(k2, 1);
  assert.deepEqual(await keysToPin(witness, { k1, k2, k3 }), [["k1", "k2"]]);
  // The same tree, signed by the key that has signed the other one: now that key alone has told both.
  await refused(k1, 1);
  await refused(k2, 2);
  assert.deepEqual(await keysToPin(witness, { k1, k2, k3 }), [["k2"], ["k1"], ["k1", "k2"]]);
  // A tree that a second key signs too does not hide who has signed it first.
  assert.equal((await add(witness, await k3.body(5))).status, 200);
  await refused(k1, 4);
  assert.deepEqual((await keysToPin(witness, { k1, k2, k3 }))[0], ["k1"]);
});

test("nobody else's signature makes evidence, and an honest log that asks for the size makes none", async (t) => {
  const log = new TestLog(ORIGIN).growTo(5);
  const witness = await started(t, await madeWitness(log.vkey));
  assert.equal((await add(witness, await log.body(0))).status, 200);
  const { signer } = new TestLog("log.example/stranger");
  assert.equal(
    (await add(witness, bodyOf(5, [], await log.note(5, { root: new Uint8Array(32), signer })))).status,
    403,
  );
  assert.equal((await add(witness, await log.growTo(9).body(0))).status, 409);
  assert.equal((await add(witness, await log.body(5))).status, 200);
  assert.deepEqual(await forksAt(witness), []);
});

test("the folder is completed at the start, and doctor tells what is wrong with it", async (t) => {
  const [left, right] = parted(1);
  const folder = await madeWitness(left.vkey);
  const forks = join(configOf(folder).dataFolder, "forks");
  await t.test("a fork", async (inner) => {
    const witness = await started(inner, folder);
    assert.equal((await add(witness, await left.growTo(2).body(0))).status, 200);
    assert.equal((await add(witness, bodyOf(2, [], await right.growTo(2, "other").note()))).status, 422);
  });
  const [name = ""] = readdirSync(forks);
  const before = readFileSync(join(forks, name), "utf8");
  const found = async () => {
    const findings = (await diagnose(kernel, configOf(folder))).filter(({ check }) => check === "forks");
    return findings.map(({ says }) => says).join("\n");
  };
  for (const spoil of [() => rmSync(join(forks, name)), () => writeFileSync(join(forks, name), before.slice(0, 99))]) {
    assert.match(await found(), /^1 pieces of evidence[^\n]+$/);
    spoil();
    assert.match(await found(), /^1 pieces of evidence.+\n.+is missing, or is not the evidence that the database has/);
    await t.test("a start", async (inner) => void (await started(inner, folder)));
    assert.equal(readFileSync(join(forks, name), "utf8"), before);
  }
});
