/**
 * An anchor in a block that a real chain made (anvil, recorded with eth_getProof): it holds, and no byte of its
 * evidence can be changed.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { at, id, SERVICE } from "@svc/testkit/evidence/service";
import {
  type Anchor,
  type AnchorEvidence,
  type Epoch,
  issueAnchor,
  kidOf,
  referenceKernel,
  type TrustPolicy,
  verify,
} from "../../src/index.ts";
import { examineEvidence } from "../../src/objects/anchor/evidence.ts";
import { isMined } from "../../src/objects/anchor/state.ts";
import { Examination } from "../../src/report/examination.ts";
import { kernels } from "../kernel/kernels.ts";

interface Recorded {
  readonly network: string;
  readonly contract: string;
  readonly tx_hash: string;
  readonly block_number: number;
  readonly block_hash: string;
  readonly block_time: number;
  readonly code_hash: string;
  readonly epoch: Epoch;
  readonly evidence: AnchorEvidence;
}

const recorded = JSON.parse(readFileSync(new URL("recorded-anvil.json", import.meta.url), "utf8")) as Recorded;
const { network, contract, tx_hash, block_number, block_hash, block_time, code_hash, epoch, evidence } = recorded;
const kernel = referenceKernel;

function trust(): TrustPolicy {
  return {
    signers: [{ kid: kidOf(kernel, SERVICE.publicKeyHex), public_key_hex: SERVICE.publicKeyHex }],
    blocks: [{ network, number: block_number, hash: block_hash }],
    contracts: [{ network, address: contract, code_hash }],
    require: ["anchored"],
  };
}

function anchor(): Promise<Anchor> {
  const mined = { block_number, block_hash, evidence };
  return issueAnchor(kernel, SERVICE, {
    anchor_epoch_id: id("anc", epoch.epoch_no),
    epoch,
    members: [],
    anchoring: { network, contract, tx_hash, mined },
    anchored_at: at(60),
  });
}

test("a block of a real chain holds the epoch", async () => {
  const bytes = new TextEncoder().encode(JSON.stringify(await anchor()));
  for (const one of kernels) {
    const report = verify(bytes, { kernel: one, trust: trust() });
    assert.deepEqual(report.problems, []);
    assert.equal(report.assurance.anchored, "pinned");
  }
});

test("its evidence gives the block's own time", async () => {
  const mined = await anchor();
  assert.ok(isMined(mined));
  const block = examineEvidence(new Examination(kernel, trust()), mined, "", "anchor");
  assert.deepEqual(block, { unixSeconds: block_time, isPinned: true, isCodePinned: true });
});

test("no byte of the evidence can be changed, dropped or added", async () => {
  const mined = await anchor();
  for (const changed of changes(evidence)) {
    const exam = new Examination(kernel, trust());
    const copy = { ...mined, evidence: changed };
    assert.ok(isMined(copy));
    assert.equal(examineEvidence(exam, copy, "", "anchor"), null);
    assert.ok(exam.rejected);
  }
});

/** Yields the evidence with one byte changed, removed at an end, or added at an end, in every place. */
function* changes(whole: AnchorEvidence): Generator<AnchorEvidence> {
  for (const header of changesOf(whole.block_header_rlp)) yield { ...whole, block_header_rlp: header };
  for (const name of ["account_proof", "storage_proof"] as const) {
    for (const [index, node] of whole[name].entries())
      for (const changed of changesOf(node)) yield { ...whole, [name]: whole[name].with(index, changed) };
  }
}

function* changesOf(text: string): Generator<string> {
  yield text.slice(2);
  yield text.slice(0, -2);
  yield `${text}00`;
  for (let index = 0; index < text.length; index++) {
    const digit = (Number.parseInt(text.charAt(index), 16) ^ 1).toString(16);
    yield text.slice(0, index) + digit + text.slice(index + 1);
  }
}
