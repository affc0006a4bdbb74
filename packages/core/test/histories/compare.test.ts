/** Objects that show places of one history, and those that show another one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bundleOf, type Evidence, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { packageInput, packageOf } from "@svc/testkit/evidence/truth-packages";
import fc from "fast-check";
import {
  type Compared,
  comparedOf,
  contradictions,
  findFork,
  issueKeyEndorsement,
  type Json,
  pinKeys,
  portableReceiptOf,
  referenceKernel,
  verify,
} from "../../src/index.ts";

const kernel = referenceKernel;
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
const told = await issueStream(12);
const retold = await issueStream(12, { forkedAt: 6 });
const bytesOf = (value: unknown) => kernel.canonicalize(value as Json);

function shownBy(value: unknown, policy = trust): Compared {
  const report = verify(value instanceof Uint8Array ? value : bytesOf(value), { kernel, trust: policy });
  assert.notEqual(report.verdict, "rejected", JSON.stringify(report.problems));
  return comparedOf(report);
}

const placesOf = (...values: unknown[]) =>
  contradictions(values.map((value) => shownBy(value))).map(({ left, right, place }) => [left, right, place]);

/** Objects of a history, each of another kind. */
async function objectsOf({ records, windows, checkpoints, ...rest }: Evidence) {
  const bundle = await bundleOf({ records, windows, checkpoints, ...rest });
  return {
    receipt: records[7],
    stream: { stream_id: records[0]?.stream_id, records: records.slice(4, 9), key_hints: bundle.key_hints },
    window: windows[2],
    checkpoint: checkpoints.at(-1),
    "portable-receipt": portableReceiptOf(kernel, bundle, 8),
    bundle,
  };
}
const [ours, theirs] = [await objectsOf(told), await objectsOf(retold)];
const early = { receipt: told.records[3], window: told.windows[0], checkpoint: told.checkpoints[0] };

test("objects of one history contradict nobody, and neither does the same file twice", () => {
  assert.deepEqual(placesOf(...Object.values(ours), ...Object.values(ours)), []);
  assert.deepEqual(placesOf(theirs.bundle, early.receipt, early.window), [], "before the two part");
});

test("every kind that shows a place of two histories contradicts the bundle of the other", () => {
  const places = Object.entries(theirs).map(([kind, value]) => [kind, placesOf(ours.bundle, value)[0]?.[2]]);
  assert.deepEqual(Object.fromEntries(places), {
    receipt: { seq_no: 8 },
    stream: { seq_no: 6 },
    window: { window_no: 3 },
    checkpoint: { window_count: 3 },
    "portable-receipt": { seq_no: 8 },
    bundle: { seq_no: 6 },
  });
});

test("the bundles in a package are compared too", async () => {
  const input = await packageInput();
  const whole = await packageOf(input);
  const other = await bundleOf(await issueStream(10, { forkedAt: 5 }));
  assert.deepEqual(placesOf(whole, other), [[0, 1, { seq_no: 5 }]]);
  assert.deepEqual(placesOf(whole, ...input.bundles), []);
});

test("a stranger's object contradicts nobody, and hides no contradiction of others", async () => {
  const stranger = testSigner("stranger");
  const strange = await bundleOf(await issueStream(12, { forkedAt: 2, signer: stranger }), 1, stranger);
  assert.deepEqual(placesOf(strange, ours.bundle), []);
  assert.deepEqual(placesOf(strange, ours.bundle, theirs.bundle), [[1, 2, { seq_no: 6 }]]);
  // Its seals are a stranger's, and the receipts in it are not.
  const mixed = { ...strange, artifacts: ours.bundle.artifacts };
  assert.equal(verify(bytesOf(mixed), { kernel, trust }).verdict, "rejected");
  assert.deepEqual(comparedOf(verify(bytesOf(mixed), { kernel, trust })).histories, []);
});

test("only who shares a key with another contradicts it, and vaults and witnesses share none", async () => {
  const nobody = { signers: [] };
  const stranger = testSigner("stranger");
  const strange = await bundleOf(await issueStream(12, { forkedAt: 2, signer: stranger }), 1, stranger);
  const [one, other] = [shownBy(ours.bundle, nobody), shownBy(strange, nobody)];
  assert.deepEqual(contradictions([one, other]), [], "of two that nobody knows");
  const [first, ...more] = contradictions([one, { ...other, kids: [...other.kids, ...one.kids] }]);
  assert.deepEqual([first?.right, more], [1, []]);
  const report = verify(bytesOf(told.records[7]), { kernel, trust });
  const signer = { ...report.signers[0], reached: "none" as const };
  Object.assign(report, {
    signers: [...report.signers, { ...signer, kid: "ed25519-00", role: "witness" }, { ...signer, role: "vault" }],
  });
  const { kids, reached } = comparedOf(report);
  assert.deepEqual([kids, reached], [[report.signers[0]?.kid], true]);
});

test("what does not hold shows nothing, and an object does not contradict itself", () => {
  const record = retold.records[7];
  assert.ok(record !== undefined);
  const { signature } = record.receipt;
  const forged = { ...record, receipt: { ...record.receipt, signature: `A${signature.slice(1)}` } };
  const report = verify(bytesOf(forged), { kernel, trust });
  assert.equal(report.verdict, "rejected");
  assert.deepEqual(comparedOf(report).histories, []);
  const expecting = { ...trust, expect: { stream_id: "str_01k30000000000000000000009" } };
  const unwanted = verify(bytesOf(ours.bundle), { kernel, trust: expecting });
  assert.equal(unwanted.verdict, "rejected");
  assert.deepEqual(comparedOf(unwanted).histories, []);
  const { histories, ...signed } = shownBy(ours.bundle);
  assert.deepEqual(contradictions([{ ...signed, histories: [...histories, ...shownBy(theirs.bundle).histories] }]), []);
});

test("without a pin two histories under one key are found, and said to be of nobody known", () => {
  const nobody = { signers: [] };
  const [found, ...more] = contradictions([shownBy(ours.bundle, nobody), shownBy(theirs.bundle, nobody)]);
  assert.deepEqual([found?.reached, more], [false, []]);
  const half = contradictions([shownBy(ours.bundle), shownBy(theirs.bundle, nobody)]);
  assert.deepEqual(half, [], "who is known is not compared with who is not");
});

test("a history under a successor is compared where the file carries the endorsement of its key", async () => {
  const successor = testSigner("successor");
  const retoldBySuccessor = await bundleOf(await issueStream(12, { forkedAt: 6, signer: successor }), 1, successor);
  const endorsement = await issueKeyEndorsement(kernel, SERVICE, successor.publicKeyHex, "2026-01-01T00:00:00.000Z");
  const endorsed = { ...retoldBySuccessor, key_endorsements: [endorsement] };
  assert.deepEqual(placesOf(ours.bundle, endorsed), [[0, 1, { seq_no: 6 }]]);
  const both = pinKeys(kernel, [SERVICE.publicKeyHex, successor.publicKeyHex]);
  const compared = [shownBy(ours.bundle, both), shownBy(retoldBySuccessor, both)];
  assert.deepEqual(contradictions(compared), [], "two pinned keys alone may be of two services");
});

test("each later one of many is named once, with the first that it contradicts", () => {
  const found = placesOf(ours.bundle, theirs.bundle, early.receipt, theirs.receipt, ours.receipt, theirs.window);
  assert.deepEqual(
    found.map(([, right]) => right),
    [1, 3, 5],
  );
});

test("what is found has proof, in any order and wherever the histories part", async () => {
  let proven = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.shuffledSubarray(["receipt", "stream", "window", "checkpoint", "portable-receipt", "bundle"] as const, {
        minLength: 2,
      }),
      fc.boolean(),
      async (forkedAt, kinds, isSwapped) => {
        const other = await objectsOf(await issueStream(12, { forkedAt }));
        const [first, ...others] = kinds;
        const all = [ours[first as keyof typeof ours], ...others.map((kind) => other[kind])];
        if (isSwapped) all.reverse();
        for (const { left, right } of contradictions(all.map((value) => shownBy(value)))) {
          const now = { fork_id: "frk_01k30000000000000000000001", detected_at: "2026-04-01T08:00:00.000Z" };
          const sides = [all[left], all[right]].map((side) => JSON.parse(new TextDecoder().decode(bytesOf(side))));
          const proof = findFork(sides[0], sides[1], { ...now, kernel, trust });
          assert.equal(proof === null ? "none" : verify(bytesOf(proof), { kernel, trust }).verdict, "verified");
          proven++;
        }
      },
    ),
    { numRuns: 40 },
  );
  assert.ok(proven > 20, `${proven}`);
});
