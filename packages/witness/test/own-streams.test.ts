/** The checkpoints of our own streams: the witness cosigns their notes, and core counts the cosignature. */
import assert from "node:assert/strict";
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
import { bodyOf } from "@svc/testkit/evidence/log";
import { issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { openDatabase } from "../src/database.ts";
import { addVkey, removeOrigin } from "../src/origins/origins-store.ts";
import { add, configOf, kernel, madeWitness, started } from "./running.ts";

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
