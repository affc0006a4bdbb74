/**
 * The parts of a portable receipt one by one: the parts that are cut out of a bundle and those that are left behind,
 * the place of a fault in a part, and which part needs which. portable-receipt.test.ts tests the whole.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { anchorOf } from "@svc/testkit/evidence/anchors";
import { otherHash, resealCheckpoint, resealWindow } from "@svc/testkit/evidence/resealed";
import {
  at,
  bundleOf,
  frontierOf,
  id,
  issueStream,
  ORIGIN,
  SERVICE,
  WITNESS_POLICY,
} from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import {
  type Anchor,
  type Bundle,
  encodeHex,
  type HashHex,
  issueKeyEndorsement,
  type Json,
  type PortableReceipt,
  pinKeys,
  policyDigest,
  portableReceiptOf,
  proveWindow,
  referenceKernel,
  verify,
} from "../src/index.ts";
import { PORTABLE_RECEIPT_FORMAT } from "../src/objects/portable-receipt/schema.ts";

const kernel = referenceKernel;
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
const evidence = await issueStream(14, { perWindow: 2, perCheckpoint: 3 });
const bundle = await bundleOf(evidence);
/** Event 7 is in window 4, the first of checkpoint 2, which ends with window 6. */
const good = portableReceiptOf(kernel, bundle, 7, { checkpointNo: 2 });
const { window, checkpoint, inclusion, last_window: last, witnesses } = good;
assert.ok(window && checkpoint && inclusion && last && witnesses);

/** Returns the problems of a portable receipt, as codes and paths. */
function problems(changes: object): string[] {
  const value = JSON.parse(JSON.stringify({ ...good, ...changes })) as Json;
  return verify(kernel.canonicalize(value), { trust, kind: "portable-receipt" }).problems.map(
    ({ code, path }) => `${code} ${path}`,
  );
}

test("a fault is reported where it stands", async () => {
  assert.deepEqual(problems({}), []);
  const hash = otherHash(checkpoint.checkpoint_root);
  const bare = { ...checkpoint, frontier: undefined };
  const { policies, witness_policies, statements } = witnesses;
  const other = { policy_id: "other" };
  const shownWith = (more: Partial<typeof witnesses>) => ({ witnesses: { ...witnesses, ...more } });
  const key = { ...WITNESS_POLICY.witnessKeys[0], public_key_hex: SERVICE.publicKeyHex };
  for (const [changes, expected] of [
    [{ window: { ...window, to_seq_no: 1 } }, "malformed /window/to_seq_no"],
    [{ checkpoint: { ...checkpoint, origin: "a/b" } }, "malformed /checkpoint/origin"],
    [{ last_window: { ...last, window: { ...last.window, to_seq_no: 1 } } }, "malformed /last_window/window/to_seq_no"],
    [
      shownWith({ witness_policies: [...witness_policies, { ...WITNESS_POLICY, threshold: 2 }] }),
      "malformed /witnesses/witness_policies/1",
    ],
    [{ window: { ...window, stream_id: id("str", 2) } }, "stream_mismatch /window/stream_id"],
    [
      { checkpoint: { ...checkpoint, stream_id: id("str", 2), origin: `${ORIGIN}/${id("str", 2)}` } },
      "stream_mismatch /checkpoint/stream_id",
    ],
    [{ checkpoint: { ...checkpoint, frontier: [hash, hash] } }, "checkpoint_root_mismatch /checkpoint/checkpoint_root"],
    [
      { checkpoint: { ...bare, window_roots: checkpoint.window_roots.slice(0, 2) } },
      "checkpoint_window_mismatch /checkpoint/window_roots",
    ],
    [{ checkpoint: { ...checkpoint, note: "" } }, "note_malformed /checkpoint/note"],
    [{ checkpoint: { ...checkpoint, created_at: at(3) } }, "signature_invalid /checkpoint/seal/signature"],
    [{ checkpoint: { ...checkpoint, to_seq_no: 13 } }, "checkpoint_window_mismatch /checkpoint/to_seq_no"],
    [
      { checkpoint_inclusion: { ...good.checkpoint_inclusion, path: [] } },
      "inclusion_invalid /checkpoint_inclusion/path",
    ],
    [{ last_window: { ...last, path: [] } }, "inclusion_invalid /last_window/path"],
    [{ last_window: { ...last, window } }, "inclusion_invalid /last_window/window/window_no"],
    [
      { last_window: { ...last, window: { ...last.window, stream_id: id("str", 2) } } },
      "stream_mismatch /last_window/window/stream_id",
    ],
    [
      { last_window: { ...last, window: { ...last.window, from_seq_no: 9 } } },
      "sequence_broken /last_window/window/from_seq_no",
    ],
    [{ inclusion: { ...inclusion, seq_no: 8 } }, "inclusion_invalid /inclusion/event_hash"],
    [{ inclusion: { ...inclusion, event_hash: hash } }, "inclusion_invalid /inclusion/event_hash"],
    [{ inclusion: { ...inclusion, leaf_index: 1 } }, "inclusion_invalid /inclusion/inclusion_path"],
    [shownWith({ policies: [] }), "policy_digest_mismatch /witnesses/policies"],
    [shownWith({ witness_policies: [] }), "policy_digest_mismatch /witnesses/witness_policies"],
    [
      shownWith({ policies: policies.map((policy) => ({ ...policy, ...other })) }),
      "policy_changed /witnesses/policies",
    ],
    [
      shownWith({ witness_policies: witness_policies.map((policy) => ({ ...policy, ...other })) }),
      "policy_changed /witnesses/witness_policies",
    ],
    [shownWith({ statements: [...statements, ...statements] }), "malformed /witnesses/statements/1"],
    [
      shownWith({ statements: statements.map((one) => ({ ...one, key_epoch: 9 })) }),
      "witness_key_epoch_invalid /witnesses/statements/0/key_epoch",
    ],
    [shownWith({ statements: [] }), "witness_quorum_unmet /witnesses/statements"],
    [{ receipt: { ...good.receipt, payload: {} } }, "payload_hash_mismatch /receipt/payload"],
  ] as const)
    assert.ok(problems(changes).includes(expected), `${expected}, got ${problems(changes)}`);
  // Event 9 is in window 5, right before the checkpoint's last.
  const before = portableReceiptOf(kernel, bundle, 9, { checkpointNo: 2 });
  const late = { ...last, window: { ...last.window, from_seq_no: 12 } };
  const gap = "range_incomplete /last_window/window/from_seq_no";
  assert.ok(problems({ ...before, last_window: late }).includes(gap));
  assert.ok(!problems({ last_window: late }).includes(gap), "windows between the two may hold what lies between");
  const asked = { ...trust, quorum: 1, witnesses: [] };
  const { witnesses: _witnesses, ...unshown } = good;
  const [problem] = verify(kernel.canonicalize(unshown), { trust: asked }).problems;
  assert.deepEqual([problem?.code, problem?.path], ["witness_quorum_unmet", "/checkpoint/note"]);
  const policy = { ...WITNESS_POLICY, witnessKeys: [key] };
  const named = await issueStream(4, { perCheckpoint: 1, witnessPolicy: policy as typeof WITNESS_POLICY });
  const own = portableReceiptOf(kernel, await bundleOf(named), 1);
  const codes = verify(kernel.canonicalize(own), { trust }).problems;
  assert.ok(
    codes.some(({ code, path }) => code === "witness_not_independent" && path === "/checkpoint/witness_policy_digest"),
  );
});

test("the checkpoint lists the windows that are shown, each member of them", async () => {
  const hash = otherHash(checkpoint.checkpoint_root);
  for (const [no, index] of [
    [window.window_no, 0],
    [last.window.window_no, 2],
  ] as const)
    for (const changes of [{ window_hash: hash }, { window_root: hash }, { from_seq_no: 99 }, { to_seq_no: 99 }]) {
      const window_roots = checkpoint.window_roots.map((one) => (one.window_no === no ? { ...one, ...changes } : one));
      // Without its frontier the root cannot be recomputed, so that nothing else gives the list away.
      const { frontier: _frontier, ...resealed } = await resealCheckpoint(checkpoint, { window_roots });
      const expected = `checkpoint_window_mismatch /checkpoint/window_roots/${index}`;
      assert.ok(problems({ checkpoint: resealed }).includes(expected), `${no} ${JSON.stringify(changes)}`);
    }
});

test("each part needs those before it, and no other", () => {
  assert.equal(PORTABLE_RECEIPT_FORMAT, "svc-portable-receipt");
  const { format, version, receipt, inclusion, window, checkpoint_inclusion, checkpoint, last_window } = good;
  const lone = { format, version, receipt };
  const anchor = anchors[0];
  const parts = { inclusion, window, checkpoint_inclusion, checkpoint, last_window, witnesses, anchor };
  const withWindow = ["inclusion", "window"];
  const withCheckpoint = [...withWindow, "checkpoint_inclusion", "checkpoint"];
  for (const [name, needed] of Object.entries({
    inclusion: withWindow,
    window: withWindow,
    checkpoint_inclusion: withCheckpoint,
    checkpoint: withCheckpoint,
    last_window: withCheckpoint,
    witnesses: withCheckpoint,
    anchor: [...withCheckpoint, "witnesses"],
  })) {
    const value = { ...lone, [name]: parts[name as keyof typeof parts] };
    const report = verify(kernel.canonicalize(value), { trust, kind: "portable-receipt" });
    const missing = report.problems.map(({ code, path }) => `${code} ${path}`);
    const due = needed.filter((one) => one !== name).map((one) => `missing_member /${one}`);
    assert.deepEqual(missing.sort(), due.sort(), name);
  }
  assert.equal(verify(kernel.canonicalize(lone), { trust }).verdict, "verified");
});

const [mined, pending, published, early] = await Promise.all([
  anchorOf(evidence.checkpoints, { epochNo: 3 }),
  anchorOf(evidence.checkpoints, { epochNo: 4, state: "pending" }),
  anchorOf(evidence.checkpoints, { epochNo: 5, state: "published" }),
  anchorOf(evidence.checkpoints.slice(0, 1), { epochNo: 2 }),
]);
const anchors = [mined, pending, published, early] as const;

test("of the anchors the first mined one that covers the checkpoint goes along, or the first, with that one member", () => {
  const cut = (...shown: readonly Anchor[]) =>
    portableReceiptOf(kernel, { ...bundle, artifacts: { ...bundle.artifacts, "anchors.json": [...shown] } }, 7).anchor;
  assert.equal(cut(), undefined);
  assert.equal(cut(early), undefined, "covers another checkpoint only");
  assert.equal(cut(early, pending, mined)?.epoch_no, mined.epoch_no);
  assert.equal(cut(published, pending)?.epoch_no, published.epoch_no);
  assert.equal(cut(pending, published)?.epoch_no, pending.epoch_no);
  const newest = evidence.checkpoints.at(-1)?.checkpoint_id;
  assert.deepEqual(
    cut(mined)?.members.map(({ checkpoint_id }) => checkpoint_id),
    [newest],
  );
});

test("keys go along where there are some", async () => {
  const endorsement = await issueKeyEndorsement(kernel, SERVICE, testSigner("next").publicKeyHex, at(0));
  const cut = (changes: Partial<Bundle>) => portableReceiptOf(kernel, { ...bundle, ...changes }, 7);
  assert.deepEqual(cut({}).key_hints, bundle.key_hints);
  assert.equal("key_endorsements" in cut({}), false);
  assert.equal("key_hints" in cut({ key_hints: [] }), false);
  assert.deepEqual(cut({ key_endorsements: [endorsement] }).key_endorsements, [endorsement]);
});

test("of the policies those go along that the window or the checkpoint names", async () => {
  const versions = await issueStream(8, { perWindow: 2, perCheckpoint: 4, policyVersions: [1, 2, 3, 4] });
  const cut = portableReceiptOf(kernel, await bundleOf(versions), 3).witnesses;
  assert.deepEqual(
    cut?.policies.map(({ policy_version }) => policy_version),
    [2, 4],
  );
  const another = { ...WITNESS_POLICY, policy_version: 2 };
  const artifact = { ...bundle.artifacts["witnesses.json"], witness_policies: [WITNESS_POLICY, another] };
  const more = { ...bundle, artifacts: { ...bundle.artifacts, "witnesses.json": artifact } };
  assert.deepEqual(portableReceiptOf(kernel, more, 7).witnesses?.witness_policies, [WITNESS_POLICY]);
  assert.ok(cut?.policies.every((policy) => policyDigest(kernel, policy).length === 64));
});

test("a checkpoint gets its frontier where the bundle tells it", async () => {
  for (const [firstWindow, seqNo, checkpointNo, before] of [
    [1, 1, 1, null],
    [1, 1, 2, 3],
    [4, 7, 2, 3],
    [4, 7, 3, 6],
    [5, 9, 2, null],
    [5, 9, 3, 6],
  ] as const) {
    const part = await bundleOf(evidence, firstWindow);
    const { frontier } = portableReceiptOf(kernel, part, seqNo, { checkpointNo }).checkpoint ?? assert.fail();
    const hashes = before === null ? undefined : frontierOf(evidence.windows.slice(0, before)).map(encodeHex);
    assert.deepEqual(frontier, hashes, `checkpoint ${checkpointNo} of a bundle from window ${firstWindow} on`);
  }
  const shown = {
    ...bundle.artifacts["checkpoints.json"][1],
    frontier: Array(2).fill(otherHash(checkpoint.checkpoint_root)),
  };
  const checkpoints = [bundle.artifacts["checkpoints.json"][0], shown] as typeof evidence.checkpoints;
  const own = { ...bundle, artifacts: { ...bundle.artifacts, "checkpoints.json": checkpoints } };
  assert.deepEqual(portableReceiptOf(kernel, own, 7).checkpoint, shown, "and keeps what it has");
});

test("an error says which checkpoint does not cover the event", () => {
  const checkpoints = bundle.artifacts["checkpoints.json"].slice(0, 2);
  const stale = { ...bundle, artifacts: { ...bundle.artifacts, "checkpoints.json": checkpoints } };
  for (const [one, seqNo, options, message] of [
    [stale, 13, {}, /^RangeError: no checkpoint of the bundle covers window 7$/],
    [bundle, 7, { checkpointNo: 1 }, /^RangeError: no checkpoint 1 of the bundle covers window 4$/],
    [bundle, 7, { checkpointNo: 9 }, /^RangeError: no checkpoint 9 of the bundle covers window 4$/],
  ] as const)
    assert.throws(() => portableReceiptOf(kernel, one, seqNo, options), message);
  assert.equal(portableReceiptOf(kernel, stale, 12).window?.window_no, 6);
});

test("there is a path for each known window of a tree that ends with a known one, and no other", () => {
  const leaf = (no: number) => encodeHex(new Uint8Array(32).fill(no)) as HashHex;
  const hashes = Array.from({ length: 8 }, (_, index) => leaf(index + 1));
  const leaves = hashes.map((hash) => kernel.leafHash(new Uint8Array(Buffer.from(hash, "hex"))));
  const priorFrontier = kernel.appendToFrontier(0, [], leaves.slice(0, 5)).map((hash) => encodeHex(hash) as HashHex);
  const tree = { priorCount: 5, priorFrontier, windowHashes: hashes.slice(5) };
  for (const [no, count] of [
    [6, 6],
    [6, 8],
    [7, 8],
    [8, 8],
  ] as const)
    assert.deepEqual(
      proveWindow(kernel, tree, no, count),
      kernel.proveInclusion(leaves.slice(0, count), no - 1).map(encodeHex),
    );
  for (const [no, count] of [
    [5, 8],
    [4, 8],
    [7, 6],
    [8, 9],
    [9, 9],
  ] as const)
    assert.throws(
      () => proveWindow(kernel, tree, no, count),
      /there is no path for window .*: windows 6 to 8 are known$/,
    );
  const seven = kernel.appendToFrontier(0, [], leaves.slice(0, 7)).map((hash) => encodeHex(hash) as HashHex);
  assert.deepEqual(
    proveWindow(kernel, { priorCount: 7, priorFrontier: seven, windowHashes: hashes.slice(7) }, 8, 8),
    kernel.proveInclusion(leaves, 7).map(encodeHex),
  );
  const short = { ...tree, priorFrontier: priorFrontier.slice(0, 1) };
  assert.throws(() => proveWindow(kernel, short, 6, 8), /the frontier is not that of 5 windows$/);
});

test("a window of the event that the service ends otherwise is found by its head", async () => {
  const changed = await resealWindow(window, { stream_head_hash: otherHash(window.stream_head_hash) });
  const own: PortableReceipt = { ...portableReceiptOf(kernel, bundle, 8, { checkpointNo: 2 }), window: changed };
  assert.ok(problems(own).includes("head_hash_mismatch /window/stream_head_hash"));
  assert.ok(!problems({ window: changed }).includes("head_hash_mismatch /window/stream_head_hash"));
});
