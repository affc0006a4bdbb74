/**
 * Consistency evidence: the parts beside its own proof are checked too, and nothing unsealed in it can stand for a
 * known root.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { resealCheckpoint } from "@svc/testkit/evidence/resealed";
import { at, frontierOf, id, issueStream, ORIGIN, SERVICE } from "@svc/testkit/evidence/service";
import { hexToBytes } from "../src/encoding/hex.ts";
import {
  type Checkpoint,
  type Consistency,
  checkpointHash,
  type HashHex,
  headHash,
  issueCheckpoint,
  issueConsistency,
  type Json,
  pinKeys,
  referenceKernel,
  type TrustPolicy,
  verify,
  windowHash,
} from "../src/index.ts";

const kernel = referenceKernel;
const pinned = pinKeys(kernel, [SERVICE.publicKeyHex]);
const evidence = await issueStream(12, { perWindow: 2, perCheckpoint: 2 });
const [first, second, third] = evidence.checkpoints;
assert.ok(first !== undefined && second !== undefined && third !== undefined);
const hashes = evidence.windows.map((window) => windowHash(kernel, window));
const OTHER_ROOT = "ab".repeat(32) as HashHex;

function codes(object: unknown, trust: TrustPolicy = pinned): string[] {
  const report = verify(kernel.canonicalize(JSON.parse(JSON.stringify(object)) as Json), { trust });
  assert.equal(report.ok, report.problems.length === 0);
  return report.problems.map(({ code }) => code);
}

/** Resolves to a checkpoint that the service seals although it does not follow `previous`. */
function sealed(previous: Checkpoint, from: number, to: number, changes: object = {}): Promise<Checkpoint> {
  return issueCheckpoint(kernel, SERVICE, {
    checkpoint_id: id("chk", 99),
    service_origin: ORIGIN,
    // The tree before these windows is the true one, even if `previous` says otherwise.
    previous: { ...previous, window_count: from - 1 },
    frontier: frontierOf(evidence.windows.slice(0, from - 1)),
    windows: evidence.windows.slice(from - 1, to),
    latest_event_hash: evidence.records[2 * to - 1]?.event_hash as HashHex,
    policy_id: "default",
    created_at: at(100),
    ...changes,
  });
}

test("a frontier that anybody can add does not establish a known root", () => {
  const good = issueConsistency(kernel, first, third, hashes);
  const { stream_id } = good;
  const trust = { ...pinned, known_checkpoints: [{ stream_id, window_count: 4, checkpoint_root: OTHER_ROOT }] };
  assert.deepEqual(codes(good, trust), ["known_checkpoint_unlinked"]);
  const forged = { ...good, to_checkpoint: { ...third, frontier: [OTHER_ROOT] } };
  assert.ok(codes(forged, trust).includes("checkpoint_root_mismatch"));
  assert.deepEqual(codes(forged), ["checkpoint_root_mismatch"]);
});

test("a checkpoint inside consistency evidence is held to its own windows", async () => {
  const wrong = await sealed(first, 3, 4);
  const good = issueConsistency(kernel, first, wrong, hashes);
  assert.deepEqual(codes(good), []);
  const { frontier: _none, ...later } = second;
  assert.deepEqual(codes({ ...good, to_checkpoint: later, from_checkpoint: { ...first, frontier: [OTHER_ROOT] } }), [
    "malformed",
  ]);
});

test("the next checkpoint lists the windows that come next", async () => {
  const again = await sealed(first, 2, 4);
  assert.ok(codes(issueConsistency(kernel, first, again, hashes)).includes("checkpoint_window_mismatch"));
  const skipping = await sealed(first, 4, 4);
  assert.ok(codes(issueConsistency(kernel, first, skipping, hashes)).includes("checkpoint_window_mismatch"));
});

test("numbers grow no faster than what they count, and the policy_id stays", async () => {
  const far = await sealed({ ...second, checkpoint_no: 49 }, 5, 6);
  const evidenceOfJump: Consistency = { ...issueConsistency(kernel, first, third, hashes), to_checkpoint: far };
  assert.ok(codes(evidenceOfJump).includes("consistency_invalid"));
  assert.ok(codes(far).includes("checkpoint_window_mismatch"), "a checkpoint 50 over six windows");
  const renamed = await sealed(second, 5, 6, { policy_id: "other" });
  assert.ok(codes(issueConsistency(kernel, first, renamed, hashes)).includes("policy_changed"));
});

test("the roots that a lone checkpoint shows are those of its hashes", () => {
  const root = kernel.rootFromLeafHashes(hashes.slice(0, 4).map((hash) => kernel.leafHash(hexToBytes(hash))));
  assert.equal(Buffer.from(root).toString("hex"), second.checkpoint_root);
});

test("evidence is made of all the windows that the later checkpoint covers, and no fewer", () => {
  const good = issueConsistency(kernel, first, third, hashes);
  assert.deepEqual(issueConsistency(kernel, first, third, [...hashes, OTHER_ROOT]), good);
  assert.throws(() => issueConsistency(kernel, first, third, hashes.slice(0, -1)), RangeError);
});

test("a link of another stream links nothing, also where the trees are the same", async () => {
  const { stream_id } = first;
  const known = { stream_id, window_count: first.window_count, checkpoint_root: first.checkpoint_root };
  const trust = { ...pinned, known_checkpoints: [known] };
  const linked = (link: Consistency) => {
    const { frontier: _frontier, ...bare } = second;
    const bytes = kernel.canonicalize(JSON.parse(JSON.stringify(bare)) as Json);
    const { problems } = verify(bytes, { trust, links: [JSON.parse(JSON.stringify(link)) as Json] });
    return problems.map(({ code }) => code);
  };
  assert.deepEqual(linked(issueConsistency(kernel, first, second, hashes)), []);
  const elsewhere = id("str", 9);
  const [from, to] = await Promise.all(
    [first, second].map((one) => {
      const stream_head_hash = headHash(kernel, elsewhere, one.to_seq_no, one.latest_event_hash);
      return resealCheckpoint(one, { stream_id: elsewhere, origin: `${ORIGIN}/${elsewhere}`, stream_head_hash });
    }),
  );
  assert.ok(from !== undefined && to !== undefined);
  const next = await resealCheckpoint(to, { previous_checkpoint_hash: checkpointHash(kernel, from) });
  const foreign = issueConsistency(kernel, from, next, hashes);
  assert.deepEqual(codes(foreign), [], "it holds by itself");
  assert.deepEqual(linked(foreign), ["known_checkpoint_unlinked"]);
});

test("a list that ends before the checkpoint's size gives it no root", () => {
  const [only = assert.fail("no window")] = third.window_roots;
  const bytes = kernel.canonicalize({ ...third, window_roots: [only], frontier: frontierHex(4) });
  const { problems } = verify(bytes, { trust: pinned });
  const problem = problems.find(({ code }) => code === "checkpoint_root_mismatch");
  assert.deepEqual([problem?.expected, problem?.actual], [third.checkpoint_root, ""]);
});

function frontierHex(windows: number): HashHex[] {
  return frontierOf(evidence.windows.slice(0, windows)).map((hash) => Buffer.from(hash).toString("hex") as HashHex);
}
