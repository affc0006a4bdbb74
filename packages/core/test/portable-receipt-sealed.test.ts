/**
 * Contradictions in a portable receipt that only the service could seal: each part holds by itself, and all paths lead
 * to the root.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { at, frontierOf, id, issueStream, ORIGIN, SERVICE } from "@svc/testkit/evidence/service";
import {
  type HashHex,
  issueCheckpoint,
  issueInclusion,
  issuePortableReceipt,
  issueWindow,
  pinKeys,
  proveWindow,
  referenceKernel,
  verify,
  type Window,
  windowHash,
} from "../src/index.ts";
import { makeSeal } from "../src/seal.ts";

const kernel = referenceKernel;
const evidence = await issueStream(6, { perWindow: 2, perCheckpoint: 1 });
const [first, second] = evidence.windows;
const [previous] = evidence.checkpoints;
assert.ok(first !== undefined && second !== undefined && previous !== undefined);
const hashesOf = (from: number, to: number) => evidence.records.slice(from - 1, to).map(({ event_hash }) => event_hash);

/** Resolves to the codes of event 2 in the window `own`, under a checkpoint that ends with the window `last`. */
async function codes(own: Window, last: Window): Promise<string[]> {
  const checkpoint = await issueCheckpoint(kernel, SERVICE, {
    checkpoint_id: id("chk", 9),
    service_origin: ORIGIN,
    previous: previous ?? null,
    frontier: frontierOf([own]),
    windows: [last],
    latest_event_hash: evidence.records[last.to_seq_no - 1]?.event_hash as HashHex,
    policy_id: "default",
    created_at: at(9),
  });
  const tree = { priorCount: 0, priorFrontier: [], windowHashes: [own, last].map((one) => windowHash(kernel, one)) };
  const [, record] = evidence.records;
  assert.ok(record !== undefined);
  const portable = issuePortableReceipt({
    receipt: record,
    inclusion: issueInclusion(kernel, own, hashesOf(1, 2), 2),
    window: own,
    checkpoint_inclusion: { window_no: 1, window_count: 2, path: proveWindow(kernel, tree, 1, 2) },
    checkpoint,
    last_window: { window: last, path: proveWindow(kernel, tree, 2, 2) },
  });
  const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
  return verify(kernel.canonicalize(portable), { trust }).problems.map(({ code }) => code);
}

async function secondWindow(from_seq_no: number, to: number): Promise<Window> {
  const { window_id, stream_id, window_no, policy_digest, witness_policy_digest, closed_at } = second as Window;
  const named = { window_id, stream_id, window_no, policy_digest, witness_policy_digest, closed_at };
  return issueWindow(kernel, SERVICE, { ...named, from_seq_no, event_hashes: hashesOf(from_seq_no, to) });
}

test("windows that follow each other are no contradiction", async () => {
  assert.deepEqual(await codes(first, second), []);
});

test("a last window that overlaps the event's is sequence_broken", async () => {
  assert.deepEqual(await codes(first, await secondWindow(2, 4)), ["sequence_broken"]);
});

test("a gap between neighbouring windows is range_incomplete", async () => {
  assert.deepEqual(await codes(first, await secondWindow(4, 5)), ["range_incomplete"]);
});

test("a window that ends with the event and states another head is head_hash_mismatch", async () => {
  const { seal: _seal, ...body } = { ...first, stream_head_hash: second.stream_head_hash };
  const changed = { ...body, seal: await makeSeal(kernel, "window", body, SERVICE) };
  assert.deepEqual(await codes(changed, second), ["head_hash_mismatch"]);
});
