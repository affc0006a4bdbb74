/** A Tessera log with svc-witness in its witness policy: it publishes a checkpoint with our cosignature, or none. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openNote, parseVerificationKey } from "@svc/core";
import { NO_COUNTERPARTS } from "@svc/testkit/counterparts";
import { freePort } from "@svc/testkit/free-port";
import { startLitewitness } from "@svc/testkit/litewitness";
import { environmentOf, startWitness } from "@svc/testkit/svc-witness";
import { kernel, madeWitness } from "../running.ts";
import { TesseraLog } from "./tessera-log.ts";

const options = { skip: NO_COUNTERPARTS };
const ORIGIN = "log.example/tessera";

/** Makes a witness that knows these logs, and returns its environment with a lasting port. */
async function environmentWith(...vkeys: string[]) {
  const folder = await madeWitness(...vkeys);
  return { ...environmentOf(folder), SVC_WITNESS_PORT: `${await freePort()}` };
}

/** Asserts that a note has valid lines of these keys. */
function assertSigned(note: string, ...vkeys: string[]): void {
  const keys = vkeys.map((vkey) => {
    const parsed = parseVerificationKey(kernel, vkey);
    assert.ok(parsed.ok);
    return parsed.key;
  });
  const opened = openNote(kernel, note, keys);
  assert.ok(opened.ok, opened.ok ? "" : opened.code);
  assert.deepEqual(
    opened.signatures.map(({ key }) => key.name),
    keys.map(({ name }) => name),
  );
}

test(
  "it publishes with our cosignature alone; while the witness is killed it grows, and publishes nothing",
  options,
  async (t) => {
    const log = await TesseraLog.make(ORIGIN);
    const environment = await environmentWith(log.vkey);
    const witness = await startWitness(t, environment);
    const policy = [`witness ours ${witness.vkey} ${witness.url}`, "quorum ours"];
    assert.equal(await log.start(t, policy), null, log.errors);
    assertSigned(await log.publishes(0), log.vkey, witness.vkey);
    for (const entry of ["one", "two", "three"]) await log.append(entry);
    assertSigned(await log.publishes(3), log.vkey, witness.vkey);
    await witness.end("SIGKILL");
    for (const entry of ["four", "five"]) await log.append(entry);
    await log.fails(2);
    assert.match(log.errors, /witness policy was not satisfied/);
    assert.equal(log.published()?.size, 3);
    const again = await startWitness(t, environment);
    assert.deepEqual([again.url, again.vkey], [witness.url, witness.vkey]);
    assertSigned(await log.publishes(5), log.vkey, witness.vkey);
    // A log that starts again goes on from what it has published.
    await log.end();
    assert.equal(await log.start(t, policy), null, log.errors);
    await log.append("six");
    assertSigned(await log.publishes(6), log.vkey, witness.vkey);
  },
);

test(
  "a witness under another key than the policy's, or that does not know the log: nothing is published",
  options,
  async (t) => {
    const log = await TesseraLog.make(ORIGIN);
    const stranger = await startWitness(t, await environmentWith(log.vkey));
    const unknowing = await startWitness(t, await environmentWith());
    const policyOf = (vkey: string, url: string) => [`witness ours ${vkey} ${url}`, "quorum ours"];
    // The stranger answers with a cosignature, and the log looks whose that is.
    assert.notEqual(await log.start(t, policyOf(unknowing.vkey, stranger.url)), null);
    assert.match(log.errors, /invalid signature/);
    assert.equal(log.published(), null);
    // Its folder holds an empty tree by now, so that it starts.
    assert.equal(await log.start(t, policyOf(unknowing.vkey, unknowing.url)), null, log.errors);
    await log.append("one");
    await log.fails(2);
    assert.match(log.errors, /404/);
    assert.equal(log.published(), null);
    await log.end();
    assert.equal(await log.start(t, policyOf(stranger.vkey, stranger.url)), null, log.errors);
    assertSigned(await log.publishes(1), log.vkey, stranger.vkey);
  },
);

test("svc-witness and litewitness in one quorum of two: both, or nothing", options, async (t) => {
  const log = await TesseraLog.make(ORIGIN);
  const ours = await startWitness(t, await environmentWith(log.vkey));
  const theirs = await startLitewitness(t);
  await theirs.addOrigin(log.vkey);
  const policy = [
    `witness ours ${ours.vkey} ${ours.url}`,
    `witness theirs ${theirs.vkey} ${theirs.url}`,
    "group both all ours theirs",
    "quorum both",
  ];
  assert.equal(await log.start(t, policy), null, log.errors);
  await log.append("one");
  const note = await log.publishes(1);
  assert.equal(note.split("\n").filter((line) => line.startsWith("— ")).length, 3);
  for (const { vkey } of [ours, theirs]) assertSigned(note, log.vkey, vkey);
  await theirs.kill();
  await log.append("two");
  await log.fails(2);
  assert.equal(log.published()?.size, 1);
  await theirs.start();
  const next = await log.publishes(2);
  for (const { vkey } of [ours, theirs]) assertSigned(next, log.vkey, vkey);
});
