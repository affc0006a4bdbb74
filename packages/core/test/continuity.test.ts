/** Bundles in a row: those that fit, every way in which they do not, and that their order does not matter. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bundleOf, type Evidence, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { type BundleLink, examineContinuity, linkOf } from "../src/continuity.ts";
import { pinKeys, referenceKernel, verify } from "../src/index.ts";

const kernel = referenceKernel;
/** Ten windows of two events, and a checkpoint after each two windows. */
const SHAPE = { perWindow: 2, perCheckpoint: 2 };
const told = await issueStream(20, SHAPE);
/** The same up to event 8, and another history from event 9 on. */
const retold = await issueStream(20, { ...SHAPE, forkedAt: 9 });

/** Resolves to the link of the bundle over these windows, which verifies. */
async function link(evidence: Evidence, firstWindow: number, lastWindow: number): Promise<BundleLink> {
  const bundle = await bundleOf(
    {
      ...evidence,
      records: evidence.records.filter(({ seq_no }) => seq_no <= lastWindow * 2),
      windows: evidence.windows.slice(0, lastWindow),
      checkpoints: evidence.checkpoints.filter(({ window_count }) => window_count <= lastWindow),
    },
    firstWindow,
  );
  const { verdict, problems } = verify(kernel.canonicalize(bundle), {
    trust: pinKeys(kernel, [SERVICE.publicKeyHex]),
    kernel,
  });
  assert.equal(verdict, "verified", problems[0]?.message);
  return linkOf(kernel, bundle);
}

const codes = (...links: BundleLink[]) => examineContinuity(kernel, links).breaks.map(({ code }) => code);

const [march, april, may] = [await link(told, 1, 4), await link(told, 5, 8), await link(told, 9, 10)];

test("months in a row are continuous, in whatever order they are given", () => {
  for (const row of [
    [march, april, may],
    [may, march, april],
  ]) {
    const { continuous, links, breaks } = examineContinuity(kernel, row);
    assert.deepEqual([continuous, breaks], [true, []]);
    assert.deepEqual(links, [march, april, may]);
  }
  assert.deepEqual(examineContinuity(kernel, [april]).continuous, true);
});

test("overlaps that are equal are continuous: in part, within, begun in the middle of a checkpoint, twice the same", async () => {
  assert.deepEqual(codes(march, await link(told, 3, 8)), []);
  assert.deepEqual(codes(await link(told, 1, 10), april), []);
  assert.deepEqual(codes(march, await link(told, 4, 8), may), []);
  assert.deepEqual(codes(march, march), []);
  // A bundle that lies within a longer one does not hide the longer one's end.
  assert.deepEqual(codes(await link(told, 1, 8), await link(told, 3, 4), may), []);
});

test("a gap says which windows and events are in no bundle", () => {
  const { continuous, breaks } = examineContinuity(kernel, [march, may]);
  const message = "A gap: windows 5 to 8, events 9 to 16, are in no bundle.";
  assert.equal(continuous, false);
  assert.deepEqual(breaks, [{ code: "range_incomplete", earlier: 0, later: 1, message }]);
});

test("another history in an overlap is a fork, at its first window", async () => {
  const { breaks } = examineContinuity(kernel, [await link(told, 1, 8), await link(retold, 3, 10)]);
  assert.deepEqual(
    breaks.map(({ code, message }) => [code, message]),
    [["fork_detected", "Window 5 is another one in each: two histories of one stream."]],
  );
});

test("a bundle that goes on from another history is a fork, though no window is in both", async () => {
  const { breaks } = examineContinuity(kernel, [march, april, await link(retold, 9, 10)]);
  assert.deepEqual(
    breaks.map(({ code, earlier, later }) => [code, earlier, later]),
    [["fork_detected", 1, 2]],
  );
  assert.match(breaks[0]?.message ?? "", /^The tree before window 9 does not hold/);
});

test("a history that parts where the bundles meet fits: nothing in them contradicts", async () => {
  assert.deepEqual(codes(march, await link(retold, 5, 8)), []);
});

test("another checkpoint of one number over the same windows is a fork", async () => {
  const other = await issueStream(20, { ...SHAPE, perCheckpoint: 4 });
  assert.deepEqual(codes(march, await link(other, 1, 4)), ["fork_detected"]);
});

test("a checkpoint that names another one before it", async () => {
  const later = await issueStream(20, { ...SHAPE, sealedAfter: 1 });
  // Windows closed at another time are other windows: only the links are made to be of one tree.
  const { checkpoints } = await link(later, 5, 8);
  assert.deepEqual(codes(march, { ...april, checkpoints }), ["previous_checkpoint_mismatch"]);
});

const changes: readonly (readonly [code: string, change: Partial<BundleLink>])[] = [
  ["stream_mismatch", { stream_id: "str_01k30000000000000000000009" }],
  ["origin_changed", { origin: "other.example/str_01k30000000000000000000001" }],
  ["policy_changed", { policy_id: "other" }],
  ["range_incomplete", { from_seq_no: april.from_seq_no + 1 }],
  ["sequence_broken", { from_seq_no: april.from_seq_no - 1 }],
  ["previous_hash_mismatch", { previous_event_hash: april.last_event_hash }],
  ["fork_detected", { prior_frontier: may.prior_frontier }],
];
for (const [code, change] of changes)
  test(`a bundle that does not fit: ${code}`, () => assert.deepEqual(codes(march, { ...april, ...change }), [code]));

test("after a break the rest is held against the later bundle", () => {
  assert.deepEqual(codes(march, { ...april, policy_id: "other" }, { ...may, policy_id: "other" }), ["policy_changed"]);
});

test("no bundle is no row", () => {
  assert.throws(() => examineContinuity(kernel, []), RangeError);
});
