/**
 * Anchors at the edges of their numbers, and with more parts than anybody needs: an answer in time, the same from both
 * kernels.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { anchorOf } from "@svc/testkit/evidence/anchors";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { type Anchor, crossCheck, pinKeys, type Report, referenceKernel } from "../../src/index.ts";

const LARGEST = Number.MAX_SAFE_INTEGER;
const evidence = await issueStream(4, { perWindow: 2, perCheckpoint: 1 });
const anchor = await anchorOf(evidence.checkpoints);
const trust = pinKeys(referenceKernel, [SERVICE.publicKeyHex]);

function check(value: unknown): Report {
  const { report, cross_check } = crossCheck(new TextEncoder().encode(JSON.stringify(value)), { trust });
  assert.ok(cross_check.agree);
  return report;
}

test("the largest numbers are answered", () => {
  const member = anchor.members[0];
  assert.ok(member !== undefined);
  for (const changes of [
    { log_size: LARGEST },
    { epoch_no: LARGEST },
    { block_number: LARGEST },
    { log_size: LARGEST, members: [{ ...member, leaf_index: LARGEST }] },
    {
      log_size: LARGEST,
      members: [{ ...member, leaf_index: LARGEST - 1, inclusion_path: Array(53).fill("0".repeat(64)) }],
    },
  ])
    assert.equal(check({ ...anchor, ...changes }).verdict, "rejected");
});

test("a consistency path between the largest sizes is answered", () => {
  const to_anchor: Anchor = { ...anchor, log_size: LARGEST, epoch_no: LARGEST };
  for (const from of [anchor, { ...anchor, log_size: LARGEST - 1 }])
    assert.equal(check({ from_anchor: from, to_anchor, consistency_path: [] }).verdict, "rejected");
});

test("an empty trie, an empty proof and a header of nothing are evidence that cannot be decoded", () => {
  for (const changes of [
    { block_header_rlp: "" },
    { block_header_rlp: "c0" },
    { account_proof: [""] },
    { storage_proof: [] },
  ]) {
    const report = check({ ...anchor, evidence: { ...anchor.evidence, ...changes } });
    assert.deepEqual([report.verdict, report.problems[0]?.code], ["rejected", "anchor_evidence_invalid"]);
  }
});

test("a header of a million members is refused", () => {
  const items = "80".repeat(1_000_000);
  const block_header_rlp = `fa${(items.length / 2).toString(16).padStart(6, "0")}${items}`;
  const report = check({ ...anchor, evidence: { ...anchor.evidence, block_header_rlp } });
  assert.equal(report.problems[0]?.code, "anchor_evidence_invalid");
});

test("a bundle of very many anchors is answered", async () => {
  const bundle = await bundleOf(evidence);
  const anchors = Array.from({ length: 300 }, (_, index) => ({ ...anchor, epoch_no: index + 1 }));
  Object.assign(bundle.artifacts, { "anchors.json": anchors });
  assert.equal(check(bundle).verdict, "rejected");
});
