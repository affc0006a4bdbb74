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
import { issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { bodyOf } from "./log.ts";
import { add, kernel, madeWitness, started } from "./running.ts";

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
