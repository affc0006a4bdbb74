/**
 * The cosignatures that date an epoch, the checkpoints that an anchor covers, the assurance of several anchors, and
 * consistency between two.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { anchorOf, serviceLog } from "@svc/testkit/evidence/anchors";
import { otherHash } from "@svc/testkit/evidence/resealed";
import { at, id, issueStream, ORIGIN, SERVICE, WITNESS, WITNESS_POLICY } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { cosignLine } from "@svc/testkit/evidence/vkeys";
import {
  type Anchor,
  anchorMember,
  checkpointHash,
  epochOf,
  issueAnchorConsistency,
  pinKeys,
  referenceKernel,
  type TrustPolicy,
  verify,
} from "../../src/index.ts";
import { parseNote } from "../../src/note/signed-note.ts";
import { Cosigners, mergedKeys } from "../../src/objects/anchor/cosigners.ts";
import { coverable, examineCover, settleAnchors } from "../../src/objects/anchor/cover.ts";
import { type ExaminedAnchor, provenTime } from "../../src/objects/anchor/examine.ts";
import { KnownWitnesses } from "../../src/objects/known-witnesses.ts";
import { Examination } from "../../src/report/examination.ts";

const kernel = referenceKernel;
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
const { checkpoints } = await issueStream(6, { perWindow: 2, perCheckpoint: 1 });
const [first = assert.fail(), second = assert.fail()] = checkpoints;
const [a, b] = [testSigner("a"), testSigner("b")];
const PINS = [
  { name: "a.example", public_key_hex: a.publicKeyHex },
  { name: "b.example", public_key_hex: b.publicKeyHex },
];
const published = await anchorOf(checkpoints, { state: "published" });
const { text } = parseNote(published.note) ?? assert.fail();

test("the earliest valid cosignature by a pinned witness dates an epoch", async () => {
  const known = new KnownWitnesses(kernel, WITNESS_POLICY, PINS);
  const earliest = async (...lines: readonly ReturnType<typeof cosignLine>[]) => {
    const [cosigners, exam] = [new Cosigners(), new Examination(kernel, trust)];
    cosigners.addNote(exam, { text, lines: await Promise.all(lines) }, known, "");
    exam.settle();
    return cosigners.earliestPinnedTime;
  };
  const byA = (time: number, signed = text) => cosignLine("a.example", a, signed, time);
  const byB = (time: number) => cosignLine("b.example", b, text, time);
  const listed = cosignLine(`${ORIGIN}/witness`, WITNESS, text, 5);
  assert.equal(await earliest(), null);
  assert.equal(await earliest(listed), null, "one that only the policy lists");
  assert.equal(await earliest(byA(20), byB(30), listed), 20);
  assert.equal(await earliest(byB(30), byA(20)), 20);
  assert.equal(await earliest(byB(30), byA(20, "another text")), 30, "a wrong one");
  assert.equal(await earliest(cosignLine("other.example", a, text, 5)), null, "another name");
});

test("an epoch is proven by a pinned block or a pinned witness, whichever is earlier, if it is not pending", () => {
  const time = (state: ExaminedAnchor["state"], block: number | null, isPinned: boolean, cosigned: number | null) =>
    provenTime({
      state,
      block: block === null ? null : { unixSeconds: block, isPinned, isCodePinned: false },
      cosigners: { earliestPinnedTime: cosigned },
    } as ExaminedAnchor);
  assert.equal(time("mined", 7, true, 5), 5);
  assert.equal(time("mined", 5, true, 7), 5);
  assert.equal(time("mined", 5, false, 7), 7);
  assert.equal(time("mined", 5, false, null), null);
  assert.equal(time("published", null, false, 7), 7);
  assert.equal(time("pending", null, false, 7), null);
  assert.equal(time(null, null, false, 7), null);
});

test("of several policies' keys each appears once, and pinned where any of them is", () => {
  const [key = assert.fail()] = WITNESS_POLICY.witnessKeys;
  const pin = [{ name: key.name, public_key_hex: key.public_key_hex }];
  const listed = new KnownWitnesses(kernel, WITNESS_POLICY, []);
  const pinned = new KnownWitnesses(kernel, null, pin);
  const [line = ""] = [...listed.lines()].map(([name]) => name);
  const [keyId = "", name = ""] = line.split(" ");
  const merged = (...known: KnownWitnesses[]) =>
    mergedKeys(known)
      .ofLine(name, keyId)
      .map(({ isPinned, publicKeyHex }) => [isPinned, publicKeyHex]);
  assert.deepEqual(merged(listed), [[false, key.public_key_hex]]);
  for (const order of [
    [listed, pinned],
    [pinned, listed],
    [listed, pinned, listed],
    [pinned, listed, pinned],
  ])
    assert.deepEqual(merged(...order), [[true, key.public_key_hex]]);
  assert.deepEqual(mergedKeys([]).ofLine(name, keyId), []);
});

test("an epoch is of at least one checkpoint, and a member is of its log", () => {
  const log = serviceLog(checkpoints);
  assert.throws(() => epochOf(kernel, ORIGIN, 1, []), /^RangeError: an epoch covers at least one checkpoint$/);
  const own = checkpointHash(kernel, first);
  assert.equal(anchorMember(kernel, first, [own, ...log.slice(0, 2)]).leaf_index, 0);
  assert.throws(() => anchorMember(kernel, first, log.slice(0, 2)), /^RangeError: the service log does not hold chk_/);
});

const covers = checkpoints.map((one) => ({ ...one, checkpoint_hash: checkpointHash(kernel, one) }));

test("an anchor covers the checkpoints that it names by id and hash alike", () => {
  const outcome = (anchor: Anchor, shown = covers) => {
    const exam = new Examination(kernel, trust);
    exam.kind = "bundle";
    const { covered } = examineCover(exam, { anchor, path: "/a" } as ExaminedAnchor, coverable(shown));
    const problems = exam.report().problems.map(({ code, path }) => `${code} ${path}`);
    return [covered.map(({ checkpoint_id }) => checkpoint_id), problems];
  };
  const ids = checkpoints.map(({ checkpoint_id }) => checkpoint_id);
  assert.deepEqual(outcome(published), [ids, []]);
  assert.deepEqual(outcome(published, covers.slice(1)), [ids.slice(1), []], "of a checkpoint that is not here nothing");
  const [member = assert.fail(), ...others] = published.members;
  const unbound = (place: string) => [ids.slice(1), [`anchor_does_not_bind /a/members/0/${place}`]];
  const named = (changes: object) => outcome({ ...published, members: [{ ...member, ...changes }, ...others] });
  assert.deepEqual(named({ checkpoint_id: id("chk", 99) }), unbound("checkpoint_id"));
  assert.deepEqual(named({ checkpoint_hash: otherHash(member.checkpoint_hash) }), unbound("checkpoint_hash"));
  assert.deepEqual(named({ checkpoint_hash: others[0]?.checkpoint_hash }), unbound("checkpoint_hash"));
  assert.deepEqual(outcome({ ...published, members: [] }), [[], ["anchor_does_not_bind /a/members"]]);
  assert.deepEqual(outcome({ ...published, origin: "other.example" })[1], ["anchor_does_not_bind /a/origin"]);
});

test("of several anchors the best one counts, in any order", () => {
  const of = (state: string, block: object | null, earliestPinnedTime: number | null) =>
    ({ anchor: published, path: "/a", state, block, cosigners: { earliestPinnedTime }, covered: [] }) as never;
  const pinned = of("mined", { unixSeconds: 1, isPinned: true, isCodePinned: true }, null);
  const unpinned = of("mined", { unixSeconds: 1, isPinned: false, isCodePinned: true }, null);
  const [pending, seen, plain] = [of("pending", null, null), of("published", null, 5), of("published", null, null)];
  for (const [anchors, expected] of [
    [[plain], ["included", "none"]],
    [
      [seen, plain],
      ["witnessed", "none"],
    ],
    [
      [pending, plain],
      ["included", "pending"],
    ],
    [
      [unpinned, pending, seen],
      ["witnessed", "unpinned"],
    ],
    [
      [pinned, unpinned, pending],
      ["included", "pinned"],
    ],
    [[], ["none", "none"]],
  ] as const)
    for (const order of [anchors, anchors.toReversed()]) {
      const exam = new Examination(kernel, trust);
      settleAnchors(exam, order, order);
      assert.deepEqual([exam.published, exam.anchored], expected);
    }
});

test("consistency between anchors: its parts at their places, and what it dates", async () => {
  const log = serviceLog(checkpoints);
  const cosignatures = [await cosignLine("a.example", a, text, Date.parse(at(100)) / 1000)];
  const [from, to] = [
    await anchorOf([first, second], { state: "published", epochNo: 3 }),
    await anchorOf(checkpoints, { state: "published", epochNo: 4, cosignatures }),
  ];
  const good = issueAnchorConsistency(kernel, from, to, log);
  assert.deepEqual(issueAnchorConsistency(kernel, from, to, [...log, otherHash(log[0] ?? assert.fail())]), good);
  assert.throws(() => issueAnchorConsistency(kernel, from, to, log.slice(0, -1)), RangeError);
  const report = (changes: object, policy: TrustPolicy = trust) =>
    verify(kernel.canonicalize({ ...good, ...changes }), { trust: policy });
  const problems = (...args: Parameters<typeof report>) =>
    report(...args).problems.map(({ code, path }) => `${code} ${path}`);
  assert.deepEqual(problems({}), []);
  assert.deepEqual(problems({ from_anchor: { ...from, note: "" } }), ["note_malformed /from_anchor/note"]);
  assert.deepEqual(problems({ to_anchor: { ...to, note: "" } }), ["note_malformed /to_anchor/note"]);
  const { assurance } = report({}, { ...trust, witnesses: PINS });
  assert.equal(assurance.published, "witnessed");
  const ended = { signers: trust.signers.map((signer) => ({ ...signer, valid_to: at(600) })) };
  assert.deepEqual(problems({}, { ...ended, witnesses: PINS }), []);
  assert.deepEqual(problems({}, ended), ["key_time_unproven /from_anchor/seal/kid"]);
  assert.deepEqual(problems({ consistency_path: [] }, { ...ended, witnesses: PINS }), [
    "consistency_invalid /consistency_path",
    "key_time_unproven /from_anchor/seal/kid",
  ]);
});
