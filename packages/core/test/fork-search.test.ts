/**
 * The search for contradictions. It proposes no pair of two objects that agree; every pair that it proposes of two that
 * do not holds; and the first in the stream comes first. The search may propose too much, since everything is verified;
 * that only costs time.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { anchorOf } from "@svc/testkit/evidence/anchors";
import {
  checkpointWithFrontier,
  contradictions,
  FORK_TRUST,
  NAMED,
  receipt,
  retold,
  told,
  windowWithLeaves,
} from "@svc/testkit/evidence/forks";
import {
  at,
  bundleOf,
  frontierOf,
  issueStream,
  ORIGIN,
  POLICY,
  WITNESS,
  WITNESS_POLICY,
} from "@svc/testkit/evidence/service";
import {
  encodeHex,
  type ForkKind,
  type HashHex,
  issueForkEvidence,
  type Json,
  type JsonObject,
  policyDigest,
  portableReceiptOf,
  referenceKernel,
  verify,
  windowHash,
} from "../src/index.ts";
import { type Candidate, SEARCHES } from "../src/objects/fork/candidates.ts";
import { firstDivergence, KnownLeaves } from "../src/objects/fork/known-leaves.ts";
import { parseTreeNote } from "../src/objects/fork/note-text.ts";
import { type PartedKind, type Parts, partsOf, partsOfNote } from "../src/objects/fork/parts.ts";
import { detectKind } from "../src/verify/kinds.ts";

const kernel = referenceKernel;

function partsOfAny(value: unknown): Parts {
  if (typeof value === "string") return partsOfNote(kernel, value);
  return partsOf(kernel, detectKind(value as Json) as PartedKind, value as JsonObject);
}

/** Returns all pairs that the search of a kind proposes. */
function proposed(kind: ForkKind, a: Parts, b: Parts): Candidate[] {
  const [, search] = SEARCHES.find(([name]) => name === kind) ?? assert.fail(kind);
  return [...search(kernel, a, b)];
}

test("each event that a window shows is held against the receipts", () => {
  for (const seqNo of [5, 6]) {
    const found = proposed("leaf", partsOfAny(receipt(told, seqNo)), partsOfAny(windowWithLeaves(retold, 3)));
    assert.deepEqual(
      found.map(({ left }) => (left as JsonObject).seq_no),
      [seqNo],
    );
  }
});

test("checkpoints are proposed for what they state, then for where their trees part", async () => {
  const [a, b] = [checkpointWithFrontier(told, 2), checkpointWithFrontier(retold, 2)];
  const indexes = (found: Candidate[]) => found.map(({ divergence }) => divergence?.index);
  assert.deepEqual(indexes(proposed("checkpoint", partsOfAny(a), partsOfAny(b))), [undefined, 2]);
  const bundles = [partsOfAny(await bundleOf(told)), partsOfAny(await bundleOf(retold))] as const;
  const notes = proposed("note", ...bundles);
  const sizes = notes.map(({ left, right }) => [left, right].map((note) => Number(`${note}`.split("\n")[1])));
  // The second and the third of each history: of one size, or else with a divergence.
  for (const [index, [one, other]] of sizes.entries())
    assert.equal(notes[index]?.divergence === null, one === other, `${one} and ${other}`);
  assert.ok(notes.some(({ divergence }) => divergence?.index === 2));
  assert.ok(notes.some(({ divergence }) => divergence === null));
});

test("epochs are proposed that share a number or a size, and are not one and the same", () => {
  const of = (epoch_no: number, log_size: number, epoch_root: string, origin = "o") =>
    parts({ anchors: [{ epoch_no, log_size, epoch_root, origin }] });
  const base = of(3, 10, "a");
  for (const [other, count] of [
    [of(3, 10, "a"), 0],
    [of(4, 10, "a"), 0],
    [of(4, 11, "b"), 0],
    [of(4, 11, "a"), 0],
    [of(3, 11, "b"), 1],
    [of(3, 11, "a"), 1],
    [of(4, 10, "b"), 1],
    [of(3, 10, "b"), 1],
    [of(3, 10, "b", "other"), 0],
  ] as const)
    assert.equal(proposed("epoch", base, other).length, count);
});

test("consistency evidence and portable receipts are taken apart whole", async () => {
  const [from_checkpoint, to_checkpoint] = [checkpointWithFrontier(told, 1), checkpointWithFrontier(told, 2)];
  const evidence = partsOf(kernel, "consistency", { from_checkpoint, to_checkpoint });
  assert.deepEqual(evidence.checkpoints, [from_checkpoint, to_checkpoint]);
  assert.equal(evidence.notes.length, 2);
  const portable = portableReceiptOf(kernel, await bundleOf(told), 5, { checkpointNo: 2 });
  const { window, inclusion, last_window, checkpoint, witnesses } = portable;
  const whole = partsOfAny(portable);
  assert.deepEqual(whole.receipts, [portable.receipt]);
  assert.deepEqual(whole.windows, [{ ...window, inclusions: [inclusion] }, last_window?.window]);
  const shown = { ...window, inclusions: [] } as never;
  assert.deepEqual(partsOfAny({ ...portable, window: shown }).windows[0], shown, "with its own inclusions");
  assert.deepEqual([whole.checkpoints, whole.policies], [[checkpoint], witnesses?.policies]);
  assert.equal(whole.notes.length, 2, "one with the statement as a line");
  assert.equal(whole.hints.at(-1)?.public_key_hex, WITNESS.publicKeyHex);
});

test("a statement becomes a line under the name of its key, where a policy lists that key", async () => {
  const bundle = await bundleOf(told);
  const { artifacts } = bundle;
  const { statements, policies } = artifacts["witnesses.json"];
  const [key = assert.fail()] = WITNESS_POLICY.witnessKeys;
  const witnessKeys = [
    { ...key, key_epoch: 2, name: "second.example" },
    { ...key, witness_id: "other", name: "other.example" },
    key,
  ];
  const namesOf = (more: object) => {
    const witnesses = { policies, witness_policies: [{ ...WITNESS_POLICY, witnessKeys }], statements, ...more };
    const shown = { ...bundle, artifacts: { ...artifacts, "witnesses.json": witnesses } };
    return new Set(partsOfAny(shown).notes.flatMap(({ lines }) => lines.slice(1).map(({ name }) => name)));
  };
  assert.deepEqual([...namesOf({})], [key.name]);
  assert.deepEqual([...namesOf({ statements: statements.map((one) => ({ ...one, key_epoch: 3 })) })], []);
  assert.deepEqual([...namesOf({ statements: statements.map((one) => ({ ...one, witness_id: "third" })) })], []);
});

test("a note is of a stream whose id its origin ends in, and of nobody whose origin is no name", () => {
  const { note } = checkpointWithFrontier(told, 2);
  const { stream_id } = receipt(told, 1);
  const renamed = (suffix: string) => note.split("\n").with(0, `${ORIGIN}/${stream_id}${suffix}`).join("\n");
  assert.equal(parseTreeNote(note)?.streamId, stream_id);
  assert.equal(parseTreeNote(renamed("/more"))?.streamId, null);
  assert.equal(parseTreeNote(renamed(" more")), null);
});

const KINDS = SEARCHES.map(([kind]) => kind);

test("of two objects that agree nothing is proposed", async () => {
  const [first, second] = [checkpointWithFrontier(told, 1), checkpointWithFrontier(told, 2)];
  const other = await issueStream(10, { perWindow: 2, perCheckpoint: 2, streamNo: 2, forkedAt: 1 });
  const pending = await anchorOf(told.checkpoints, { state: "published" });
  for (const [what, a, b] of [
    ["one bundle", await bundleOf(told), await bundleOf(told)],
    ["a bundle and a later one", await bundleOf(told), await bundleOf(told, 3)],
    ["two streams", await bundleOf(told), await bundleOf(other)],
    ["two checkpoints", first, second],
    ["two notes", first.note, second.note],
    ["a receipt and its window", receipt(told, 5), windowWithLeaves(told, 3)],
    ["the last receipt of a window and it", receipt(told, 6), windowWithLeaves(told, 3)],
    ["a checkpoint and a bundle", second, await bundleOf(told)],
    ["one epoch, twice", pending, await anchorOf(told.checkpoints)],
    ["two epochs", await anchorOf(told.checkpoints.slice(0, 2), { state: "published" }), { ...pending, epoch_no: 4 }],
    ["two origins", pending, await anchorOf(retold.checkpoints, { origin: "other.example" })],
  ] as const)
    for (const kind of KINDS) {
      assert.deepEqual(proposed(kind, partsOfAny(a), partsOfAny(b)), [], `${what}: ${kind}`);
      assert.deepEqual(proposed(kind, partsOfAny(b), partsOfAny(a)), [], `${what}: ${kind}, the other way`);
    }
});

test("of two objects that contradict each other each proposed pair is evidence", async () => {
  const { fork_id, detected_at } = NAMED;
  const pairs = (await contradictions()).map(({ name, a, b }) => [name, a, b] as const);
  const checkpoints = [checkpointWithFrontier(told, 2), checkpointWithFrontier(retold, 2)] as const;
  for (const [name, a, b] of [...pairs, ["two-checkpoints", ...checkpoints] as const]) {
    let count = 0;
    for (const kind of KINDS)
      for (const { left, right, ...claim } of proposed(kind, partsOfAny(a), partsOfAny(b))) {
        const evidence = issueForkEvidence(left, right, { fork_id, detected_at, ...claim });
        const bytes = kernel.canonicalize(evidence);
        const { verdict, problems } = verify(bytes, { kind: "fork", trust: FORK_TRUST, kernel });
        // One witness must have cosigned both of its notes; the search does not check that.
        if (kind !== "witness") assert.notEqual(verdict, "rejected", `${name}, ${kind}: ${problems[0]?.message}`);
        count++;
      }
    assert.notEqual(count, 0, name);
  }
});

/** Returns parts that hold only these. */
function parts(some: object): Parts {
  const none = { receipts: [], windows: [], checkpoints: [], anchors: [], notes: [], policies: [], hints: [] };
  return { ...none, endorsements: [], leaves: new KnownLeaves(kernel), ...some } as Parts;
}

test("heads and omissions are proposed from the first event on, in whatever order the parts stand", () => {
  const reversed = (evidence: typeof told) => parts({ receipts: evidence.records.toReversed() });
  const seqNos = proposed("head", reversed(told), reversed(retold)).map(({ left }) => (left as JsonObject).seq_no);
  assert.deepEqual(seqNos, [5, 6, 7, 8, 9, 10]);
  const policy_digest = policyDigest(kernel, POLICY);
  const { stream_id } = receipt(told, 1);
  const checkpoint = { stream_id, policy_digest, to_seq_no: 4, created_at: at(999) };
  const late = parts({ checkpoints: [checkpoint], policies: [POLICY] });
  for (const [a, b] of [
    [reversed(told), late],
    [late, reversed(told)],
  ] as const)
    assert.deepEqual(
      proposed("omission", a, b).map(({ left }) => (left as JsonObject).seq_no),
      [5],
    );
  const all = parts({ checkpoints: [{ ...checkpoint, to_seq_no: 10 }], policies: [POLICY] });
  assert.deepEqual(proposed("omission", reversed(told), all), []);
  const inTime = parts({ checkpoints: [{ ...checkpoint, created_at: at(5) }], policies: [POLICY] });
  assert.deepEqual(proposed("omission", reversed(told), inTime), []);
  assert.deepEqual(proposed("omission", reversed(told), parts({ checkpoints: [checkpoint] })), []);
});

test("a window is held against that of its number and against its nearest neighbours", () => {
  const of = (window_no: number, from_seq_no: number, to_seq_no: number) => ({
    stream_id: "s",
    window_no,
    from_seq_no,
    to_seq_no,
  });
  const against = (...others: object[]) =>
    proposed("window", parts({ windows: [of(5, 50, 59)] }), parts({ windows: others })).map(
      ({ right }) => (right as JsonObject).window_no,
    );
  assert.deepEqual(against(of(5, 50, 59)), []);
  assert.deepEqual(against(of(5, 50, 58)), [5]);
  const ordered = [of(9, 90, 99), of(7, 70, 79), of(6, 60, 69), of(5, 50, 59), of(4, 40, 49), of(2, 20, 29)];
  assert.deepEqual(against(...ordered), []);
  assert.deepEqual(against(...ordered.toReversed()), []);
  assert.deepEqual(against(of(7, 70, 79), of(6, 59, 69), of(4, 40, 49)), [6], "the next one shares an event");
  assert.deepEqual(against(of(7, 70, 79), of(6, 60, 69), of(4, 40, 50), of(3, 30, 39)), [4], "so does the one before");
  assert.deepEqual(against(of(4, 51, 58), of(6, 51, 58)), [4, 6]);
  assert.deepEqual(against({ ...of(5, 1, 2), stream_id: "t" }, { ...of(4, 55, 55), stream_id: "t" }), []);
});

test("a tree's shown leaves are those of the runs that end in it, and single ones whose paths hold", async () => {
  const one = checkpointWithFrontier(told, 1);
  const two = checkpointWithFrontier(told, 2);
  const three = checkpointWithFrontier(told, 3);
  const tree = ({ window_count, checkpoint_root }: typeof one) => ({ size: window_count, root: checkpoint_root });
  const shown = (leaves: KnownLeaves, of: { size: number; root: HashHex }) => [...leaves.of(of).keys()];
  const bare = ({ frontier: _frontier, ...rest }: typeof one) => rest as typeof one;
  const known = (...checkpoints: (typeof one)[]) => {
    const leaves = new KnownLeaves(kernel);
    for (const checkpoint of checkpoints) leaves.addCheckpoint(checkpoint);
    return leaves;
  };
  assert.deepEqual(shown(known(bare(one)), tree(one)), [0, 1], "the first needs no frontier");
  assert.deepEqual(shown(known(two), tree(two)), [2, 3], "behind a frontier");
  assert.deepEqual(shown(known(bare(two)), tree(two)), [], "nothing is known before it");
  assert.deepEqual(shown(known(bare(one), bare(two)), tree(two)), [0, 1, 2, 3], "behind the one before");
  assert.deepEqual(shown(known(bare(one), three), tree(three)), [4], "not behind one that is not next");
  const all = known(bare(one), bare(two), bare(three));
  assert.deepEqual(shown(all, tree(two)), [0, 1, 2, 3], "no leaf past the tree");
  assert.deepEqual(shown(all, { ...tree(two), root: tree(three).root }), [], "no leaf of another tree");
  all.addCheckpoint(two);
  const windowHashes = told.windows.map((window) => windowHash(kernel, window));
  const run = new KnownLeaves(kernel);
  run.addRun({ priorCount: 0, priorFrontier: [], windowHashes });
  run.addCheckpoint(two);
  assert.deepEqual(shown(run, tree(two)), [0, 1, 2, 3], "nor where a run holds more");
  assert.deepEqual(shown(all, tree(two)), [0, 1, 2, 3], "what is known already is not known worse");
  for (const [index, { hash, path }] of all.of(tree(two))) {
    const leaf = kernel.leafHash(Buffer.from(hash, "hex"));
    const bytes = path().map((node) => new Uint8Array(Buffer.from(node, "hex")));
    const stated = new Uint8Array(Buffer.from(two.checkpoint_root, "hex"));
    assert.equal(kernel.verifyInclusion(leaf, index, two.window_count, bytes, stated), true, `${index}`);
  }
  const [first] = all.of(tree(two)).values();
  assert.ok(first !== undefined);
  const single = known(two);
  single.addLeaf(tree(two), 1, { hash: first.hash, path: first.path() });
  assert.deepEqual(shown(single, tree(two)), [2, 3], "a path that does not hold");
  single.addLeaf(tree(two), 0, { hash: first.hash, path: first.path() });
  assert.deepEqual(shown(single, tree(two)), [0, 2, 3], "in the order of the leaves");
  single.addLeaf(tree(three), 0, { hash: first.hash, path: [] });
  assert.deepEqual(shown(single, tree(two)), [0, 2, 3], "a leaf of another tree takes nobody's place");
});

test("the first divergence is at the first leaf that both show and that differs", () => {
  const trees = [told, retold].map((evidence) => {
    const { frontier: _frontier, ...checkpoint } = checkpointWithFrontier(evidence, 1);
    const leaves = new KnownLeaves(kernel);
    leaves.addCheckpoint(checkpoint);
    const second = checkpointWithFrontier(evidence, 2);
    leaves.addCheckpoint(second);
    return { leaves, tree: { size: second.window_count, root: second.checkpoint_root } };
  });
  const [left, right] = trees;
  assert.ok(left !== undefined && right !== undefined);
  assert.equal(firstDivergence(left, right)?.index, 2);
  assert.equal(firstDivergence(left, left), null);
  assert.equal(firstDivergence(left, { ...right, leaves: new KnownLeaves(kernel) }), null);
  assert.deepEqual(
    encodeHex(kernel.rootFromFrontier(frontierOf(told.windows.slice(0, 4)))),
    left.tree.root,
    "the tree of four windows",
  );
});
