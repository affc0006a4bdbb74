/**
 * The refusals of issuing functions, and that every object of protocol sections 6 to 10 that can be issued is verified
 * as its kind. Many other tests show that issued objects hold.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bundleOf, issueStream, SERVICE, WITNESS_POLICY } from "@svc/testkit/evidence/service";
import {
  detectKind,
  issueConsistency,
  issueInclusion,
  issueStreamSegment,
  type Json,
  type Kind,
  pinKeys,
  portableReceiptOf,
  referenceKernel,
  resolveWitnessPolicy,
  schemas,
  showInclusions,
  showLeaves,
  verify,
  windowHash,
} from "../src/index.ts";

const kernel = referenceKernel;
const evidence = await issueStream(4, { perWindow: 2, perCheckpoint: 1 });
const [record] = evidence.records;
const [window] = evidence.windows;
const [from, to] = evidence.checkpoints;
assert.ok(record !== undefined && window !== undefined && from !== undefined && to !== undefined);
const eventHashes = evidence.records.slice(0, 2).map(({ event_hash }) => event_hash);

/** An issued object of each kind, and the best verdict that it can have by itself. */
const ISSUED: readonly (readonly [Kind, unknown, "verified" | "untrusted"])[] = [
  ["receipt", record, "verified"],
  ["stream", issueStreamSegment(evidence.records), "verified"],
  ["window", showInclusions(kernel, showLeaves(window, eventHashes), eventHashes, [1, 2]), "verified"],
  ["inclusion", issueInclusion(kernel, window, eventHashes, 2), "untrusted"],
  ["checkpoint", from, "verified"],
  [
    "consistency",
    issueConsistency(
      kernel,
      from,
      to,
      evidence.windows.map((one) => windowHash(kernel, one)),
    ),
    "verified",
  ],
  ["witness", evidence.statements[0], "untrusted"],
  ["portable-receipt", portableReceiptOf(kernel, await bundleOf(evidence), 3), "verified"],
];

for (const [kind, object, verdict] of ISSUED) {
  test(`an issued ${kind} is found to be one, and is ${verdict}`, () => {
    const value = JSON.parse(JSON.stringify(object)) as Json;
    assert.equal(detectKind(value), kind);
    const report = verify(kernel.canonicalize(value), { trust: pinKeys(kernel, [SERVICE.publicKeyHex]) });
    assert.equal(report.verdict, verdict, JSON.stringify(report.problems));
  });
}

test("every exported schema is a closed object", () => {
  for (const [name, schema] of Object.entries(schemas)) {
    assert.equal((schema as { type?: unknown }).type, "object", name);
    assert.equal((schema as { additionalProperties?: unknown }).additionalProperties, false, name);
  }
});

test("a run of records is of one stream, and not empty", async () => {
  const other = await issueStream(1, { streamNo: 2 });
  assert.throws(() => issueStreamSegment([]), RangeError);
  assert.throws(() => issueStreamSegment([...evidence.records, ...other.records]), TypeError);
});

test("managed-shadow without keys resolves to the service's own witness, and nothing else does", () => {
  const [own] = WITNESS_POLICY.witnessKeys;
  assert.ok(own !== undefined);
  const declared = { ...WITNESS_POLICY, witnessKeys: [] };
  assert.deepEqual(resolveWitnessPolicy(declared, own), WITNESS_POLICY);
  assert.deepEqual(resolveWitnessPolicy({ ...declared, witnessKeys: [own] }, { ...own, key_epoch: 7 }), WITNESS_POLICY);
  assert.throws(() => resolveWitnessPolicy({ ...declared, mode: "independent" }, own), RangeError);
  assert.throws(() => resolveWitnessPolicy({ ...declared, threshold: 2 }, own), RangeError);
});
