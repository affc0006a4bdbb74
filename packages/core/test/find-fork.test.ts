/**
 * findFork: two objects that contradict each other give evidence that verifies, of the kind that shows it most simply.
 * Two objects that agree give none, and neither do forgeries.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { anchorOf, serviceLog } from "@svc/testkit/evidence/anchors";
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
import { at, bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import {
  FORK_KINDS,
  findFork,
  issueAnchorConsistency,
  issueKeyEndorsement,
  type Json,
  pinKeys,
  type Report,
  referenceKernel,
  verify,
} from "../src/index.ts";

const kernel = referenceKernel;
const all = await contradictions();

function verified(evidence: unknown): Report {
  return verify(kernel.canonicalize(evidence as Json), { trust: FORK_TRUST });
}

test("every kind of fork evidence has a contradiction", () => {
  assert.deepEqual(
    FORK_KINDS.filter((kind) => !all.some((one) => one.kind === kind)),
    [],
  );
});

for (const { name, kind, a, b } of all) {
  test(`${name}: evidence of the kind ${kind}, whichever object comes first`, () => {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      // The log's fault is found before the witness's in two cosigned notes.
      const evidence = findFork(one, other, kind === "witness" ? { ...NAMED, kinds: ["witness"] } : NAMED);
      assert.equal(evidence?.kind, kind);
      const { kind: reported, verdict, problems } = verified(evidence);
      assert.deepEqual([reported, verdict, problems], ["fork", "verified", []]);
    }
  });
}

test("of two bundles the first event that differs is shown", async () => {
  const evidence = findFork(await bundleOf(told), await bundleOf(retold), NAMED);
  assert.equal((evidence?.left as { seq_no?: number } | undefined)?.seq_no, 5);
  const bundles = [await bundleOf(told), await bundleOf(retold)];
  for (const kind of ["chain", "window", "checkpoint", "note", "witness"] as const) {
    const [a = null, b = null] = bundles;
    const of = findFork(a, b, { ...NAMED, kinds: [kind] });
    assert.equal(of?.kind, kind);
    assert.equal(verified(of).verdict, "verified", kind);
  }
});

test("checkpoints of two sizes: the divergence is at the first window that differs", () => {
  const found = all.find(({ name }) => name === "two-sizes");
  const evidence = findFork(found?.a ?? null, found?.b ?? null, NAMED);
  assert.equal(evidence?.divergence?.index, 2);
});

test("objects that do not contradict each other give no evidence", async () => {
  const other = await issueStream(10, { perWindow: 2, perCheckpoint: 2, streamNo: 2, forkedAt: 1 });
  const [first, second] = [checkpointWithFrontier(told, 1), checkpointWithFrontier(told, 2)];
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ["the same bundle", await bundleOf(told), await bundleOf(told)],
    ["a bundle and a later one", await bundleOf(told, 1), await bundleOf(told, 3)],
    ["two streams", await bundleOf(told), await bundleOf(other)],
    ["receipts of one history", receipt(told, 5), receipt(told, 6)],
    ["receipts far apart", receipt(told, 5), receipt(retold, 9)],
    ["histories before they part", receipt(told, 4), receipt(retold, 4)],
    ["a receipt and its window", receipt(told, 5), windowWithLeaves(told, 3)],
    ["windows of one history", told.windows[0], told.windows[3]],
    ["checkpoints of one history", first, second],
    ["histories whose first checkpoint is one", first, checkpointWithFrontier(retold, 1)],
    ["a checkpoint and a later bundle", first, await bundleOf(told, 3)],
    ["notes of one history", first.note, second.note],
    ["one note twice", first.note, first.note],
    ["a note and its checkpoint", first.note, first],
    ["published and mined", await anchorOf(told.checkpoints, { state: "published" }), await anchorOf(told.checkpoints)],
    ["a receipt that is not due", receipt(told, 9), first],
    ["no object", 7, receipt(told, 1)],
    ["no note", "hello", first.note],
    ["an object without its shape", { ...receipt(told, 6), seq_no: "6" }, receipt(retold, 6)],
  ];
  for (const [what, a, b] of pairs) {
    assert.equal(findFork(a as Json, b as Json, NAMED), null, what);
    assert.equal(findFork(b as Json, a as Json, NAMED), null, `${what}, the other way`);
  }
});

test("evidence between anchors shows both of them", async () => {
  const [first, second] = [
    await anchorOf(told.checkpoints.slice(0, 2), { state: "published" }),
    await anchorOf(told.checkpoints, { state: "published", epochNo: 4 }),
  ];
  const evidence = issueAnchorConsistency(kernel, first, second, serviceLog(told.checkpoints));
  const other = await anchorOf(retold.checkpoints.slice(0, 2), { state: "published" });
  const found = findFork(evidence, other, NAMED);
  assert.deepEqual([found?.kind, found?.left, found?.right], ["epoch", first, other]);
});

test("an object with the members of a kind, and not its shape, has no parts", async () => {
  const first = told.checkpoints[0];
  const goods: readonly (readonly [string, object])[] = [
    ["receipt", receipt(retold, 6)],
    ["stream", { stream_id: receipt(retold, 1).stream_id, records: retold.records }],
    ["window", windowWithLeaves(retold, 3)],
    ["checkpoint", checkpointWithFrontier(retold, 2)],
    ["consistency", { stream_id: "", from_checkpoint: first, to_checkpoint: first, consistency_path: [] }],
    ["anchor", await anchorOf(retold.checkpoints)],
    ["bundle", await bundleOf(retold)],
  ];
  const own = await bundleOf(told);
  for (const [kind, good] of goods)
    for (const wrong of [null, {}, []]) {
      const broken = Object.fromEntries(Object.keys(good).map((name) => [name, wrong]));
      assert.equal(findFork(own, broken, NAMED), null, `${kind} of ${JSON.stringify(wrong)}`);
      assert.equal(findFork(broken, own, NAMED), null, `${kind} of ${JSON.stringify(wrong)}, the other way`);
    }
  const { manifest, ...parts } = await bundleOf(retold);
  const prior_windows = { window_count: 2, frontier: [] };
  const unfit = { ...parts, manifest: { ...manifest, prior_windows } };
  assert.equal(findFork(own, unfit, NAMED), null, "a frontier of another length");
  // The shape must also meet the rules that a schema cannot express: this window ends before it starts.
  const window = { ...windowWithLeaves(retold, 3), to_seq_no: 1 };
  assert.equal(findFork(receipt(told, 5), window, NAMED), null);
});

test("a forgery convicts nobody", async () => {
  const forged = await issueStream(10, { perWindow: 2, perCheckpoint: 2, forkedAt: 5, signer: testSigner("attacker") });
  const bundle = await bundleOf(forged, 1, testSigner("attacker"));
  const honest = await bundleOf(told);
  const withoutWitness = { ...NAMED, kinds: FORK_KINDS.filter((kind) => kind !== "witness") };
  assert.equal(findFork(honest, bundle, withoutWitness), null);
  const edited = { ...receipt(retold, 6), event_hash: "0".repeat(64) };
  assert.equal(findFork(receipt(told, 6), edited, NAMED), null);
});

test("without any key evidence is found and not trusted; with hints its signatures are checked", async () => {
  const { trust: _trust, ...nobody } = NAMED;
  const lone = findFork(receipt(told, 6), receipt(retold, 6), nobody);
  assert.equal(lone?.key_hints, undefined);
  const bundles = [await bundleOf(told), await bundleOf(retold)];
  const hinted = findFork(bundles[0] ?? null, bundles[1] ?? null, nobody);
  assert.equal(hinted?.key_hints?.length, 1);
  const report = verify(kernel.canonicalize(hinted));
  assert.equal(report.verdict, "untrusted");
  assert.equal(report.assurance.signed, true);
});

test("where the service changed its key, the evidence carries what relates the two keys", async () => {
  const next = testSigner("next");
  const endorsement = await issueKeyEndorsement(kernel, SERVICE, next.publicKeyHex, at(0));
  const renewed = await issueStream(10, { perWindow: 2, perCheckpoint: 2, forkedAt: 5, signer: next });
  const honest = await bundleOf(told);
  const other = { ...(await bundleOf(renewed, 1, next)), key_endorsements: [endorsement] };
  const { trust: _trust, ...nobody } = NAMED;
  for (const [a, b] of [
    [honest, other],
    [other, honest],
  ] as const) {
    const evidence = findFork(a, b, { ...nobody, kinds: ["head"] });
    assert.deepEqual(evidence?.key_endorsements, [endorsement]);
    const hinted = evidence?.key_hints?.map(({ public_key_hex }) => public_key_hex) ?? [];
    for (const { publicKeyHex } of [SERVICE, next]) assert.ok(hinted.includes(publicKeyHex));
    assert.equal(verified(evidence).verdict, "verified");
  }
  // Without the endorsement nobody can say that the keys belong to one service.
  const unrelated = { ...(await bundleOf(renewed, 1, next)), key_endorsements: [] };
  assert.equal(findFork(honest, unrelated, { ...nobody, kinds: ["head"] }), null);
});

test("a hint with another key's identifier is left behind", async () => {
  const { trust: _trust, ...nobody } = NAMED;
  const [
    {
      receipt: { kid },
    } = assert.fail("no record"),
  ] = told.records;
  const wrong = { kid, public_key_hex: testSigner("attacker").publicKeyHex };
  const bundles = [await bundleOf(told), await bundleOf(retold)] as const;
  for (const key_hints of [
    [wrong, ...bundles[0].key_hints],
    [...bundles[0].key_hints, wrong],
  ]) {
    const [left, right] = [{ ...bundles[0], key_hints }, bundles[1]];
    for (const evidence of [findFork(left, right, nobody), findFork(right, left, nobody)])
      assert.deepEqual(evidence?.key_hints, bundles[1].key_hints);
  }
});

test("what the trust policy says of a key is held against the evidence", () => {
  const sides = [receipt(told, 6), receipt(retold, 6)] as const;
  const [signer] = FORK_TRUST.signers;
  const until = (valid_to: string) => ({ ...NAMED, trust: { signers: [{ ...signer, valid_to }] } });
  assert.equal(findFork(...sides, until(at(6)))?.kind, "head");
  assert.equal(findFork(...sides, until(at(0))), null);
});

test("a trust policy that is not well formed is the caller's mistake", () => {
  const signers = pinKeys(kernel, [testSigner("service").publicKeyHex]).signers.map((one) => ({ ...one, kid: "x" }));
  assert.throws(() => findFork(null, null, { ...NAMED, trust: { signers } }), TypeError);
});

test("an omission is found with a policy that neither object shows, if the checkpoint names it", async () => {
  const late = await issueStream(4, { perWindow: 2, perCheckpoint: 2, sealedAfter: 106 });
  const [held, checkpoint] = [receipt(told, 9), late.checkpoints[0]] as unknown as [Json, Json];
  const [policy] = late.policies;
  if (policy === undefined) throw new Error("the test stream has no policy");
  assert.equal(findFork(held, checkpoint, NAMED), null);
  assert.equal(findFork(held, checkpoint, { ...NAMED, policies: [{ ...policy, window_max_seconds: 1 }] }), null);
  const found = findFork(held, checkpoint, { ...NAMED, policies: [policy] });
  assert.equal(found?.kind, "omission");
  assert.equal(verified(found).verdict, "verified");
});
