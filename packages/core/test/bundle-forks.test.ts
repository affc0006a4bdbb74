/**
 * The signers that fork evidence in a bundle convicts: those connected with the bundle, in its stream and its service's
 * log, and nobody else.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { anchorOf } from "@svc/testkit/evidence/anchors";
import { cosignedNote, NAMED, retold, told } from "@svc/testkit/evidence/forks";
import { at, bundleOf, id, issueStream, ORIGIN, SERVICE, WITNESS, WITNESS_POLICY } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { cosignLine } from "@svc/testkit/evidence/vkeys";
import {
  type Bundle,
  type ForkEvidence,
  findFork,
  issueForkEvidence,
  issueKeyEndorsement,
  type Json,
  keyHint,
  pinKeys,
  referenceKernel,
  type Signer,
  type TrustPolicy,
  verify,
} from "../src/index.ts";
import { encodeNoteLine } from "../src/note/signed-note.ts";
import type { PinnedSigner, PinnedWitness } from "../src/trust/policy.ts";

const kernel = referenceKernel;
const [own = assert.fail()] = pinKeys(kernel, [SERVICE.publicKeyHex]).signers;
const other = testSigner("other");
const [otherPin = assert.fail()] = pinKeys(kernel, [other.publicKeyHex]).signers;
const HINTS = [SERVICE, other].map(({ publicKeyHex }) => keyHint(kernel, publicKeyHex));
const { stream_id } = told.records[0] ?? assert.fail();
const options = { perWindow: 2, perCheckpoint: 2 };
const retoldBy = (signer: Signer) => issueStream(10, { ...options, forkedAt: 5, sealedAfter: 2, signer });
const toldBy = (signer: Signer) => issueStream(10, { ...options, signer });

/** Resolves to the code and the path for which the bundle is refused with this evidence in it. */
async function outcome(
  evidence: ForkEvidence,
  signers: readonly PinnedSigner[] = [own],
  changes: Partial<Bundle> = {},
  witnesses: PinnedWitness[] = [],
) {
  const bundle = { ...(await bundleOf(told, 1, SERVICE, [], [evidence])), ...changes };
  const trust: TrustPolicy = { signers: [...signers], witnesses };
  const { problems } = verify(kernel.canonicalize(bundle), { trust });
  return problems.filter(({ code }) => code.startsWith("fork_")).map(({ code, path }) => `${code} ${path}`);
}

const DETECTED = ["fork_detected /artifacts/forks.json/0"];
const INVALID = ["fork_evidence_invalid /artifacts/forks.json/0"];

/** Resolves to evidence of two heads after event 6, by these signers. */
async function heads(left: Signer, right: Signer): Promise<ForkEvidence> {
  const [one, two] = [(await toldBy(left)).records[5], (await retoldBy(right)).records[5]];
  const { fork_id, detected_at } = NAMED;
  const input = { fork_id, detected_at, kind: "head", stream_id, key_hints: HINTS } as const;
  return issueForkEvidence(one as never, two as never, input);
}

test("who sealed something of the bundle is convicted, pinned or not", async () => {
  assert.deepEqual(await outcome(await heads(SERVICE, SERVICE)), DETECTED);
  assert.deepEqual(await outcome(await heads(SERVICE, SERVICE), []), DETECTED);
});

test("who sealed nothing of it is convicted if trust reaches him for its stream", async () => {
  const evidence = await heads(other, other);
  assert.deepEqual(await outcome(evidence), INVALID);
  assert.deepEqual(await outcome(evidence, [own, otherPin]), DETECTED);
  assert.deepEqual(await outcome(evidence, [own, { ...otherPin, streams: [stream_id] }]), DETECTED);
  assert.deepEqual(await outcome(evidence, [own, { ...otherPin, streams: [id("str", 9)] }]), INVALID);
  assert.deepEqual(await outcome(evidence, [own, { ...otherPin, origin: ORIGIN }]), DETECTED);
  assert.deepEqual(await outcome(evidence, [own, { ...otherPin, origin: "other.example" }]), INVALID);
});

test("two keys are one signer if both are trusted, or one endorses the other, wherever the endorsement stands", async () => {
  const evidence = await heads(SERVICE, other);
  assert.deepEqual(await outcome(evidence, [own, otherPin]), DETECTED);
  assert.deepEqual(await outcome(evidence, [otherPin]), INVALID, "one of them sealed the bundle, and is not trusted");
  assert.deepEqual(await outcome(evidence), INVALID);
  const endorsement = await issueKeyEndorsement(kernel, SERVICE, other.publicKeyHex, at(0));
  const key_endorsements = [endorsement];
  assert.deepEqual(await outcome(evidence, [own], { key_endorsements }), DETECTED, "in the bundle");
  assert.deepEqual(await outcome({ ...evidence, key_endorsements }), DETECTED, "in the evidence");
});

test("epochs are of the service's log, by a key that is trusted for the service", async () => {
  const epochs = async (signer: Signer, origin = ORIGIN) => {
    const [left, right] = await Promise.all(
      [told, retold].map(({ checkpoints }) =>
        anchorOf(checkpoints.slice(0, 2), { state: "published", signer, origin }),
      ),
    );
    const { fork_id, detected_at } = NAMED;
    const input = { fork_id, detected_at, kind: "epoch", stream_id: null, key_hints: HINTS } as const;
    return issueForkEvidence(left as never, right as never, input);
  };
  assert.deepEqual(await outcome(await epochs(SERVICE)), DETECTED);
  assert.deepEqual(await outcome(await epochs(other)), INVALID);
  assert.deepEqual(await outcome(await epochs(other), [own, { ...otherPin, origin: ORIGIN }]), DETECTED);
  assert.deepEqual(await outcome(await epochs(other), [own, { ...otherPin, origin: "other.example" }]), INVALID);
  const limited = { ...otherPin, streams: [id("str", 9)] };
  assert.deepEqual(await outcome(await epochs(other), [own, limited]), DETECTED, "an epoch is of no stream");
  const elsewhere = ["fork_evidence_invalid /artifacts/forks.json/0/left"];
  assert.deepEqual(await outcome(await epochs(SERVICE, "other.example")), elsewhere);
});

test("evidence is of the bundle's stream, and one of its sides of the bundle's log", async () => {
  const foreign = await issueStream(10, { ...options, streamNo: 2 });
  const foreignRetold = await issueStream(10, { ...options, streamNo: 2, forkedAt: 5, sealedAfter: 2 });
  const { fork_id, detected_at } = NAMED;
  const input = { fork_id, detected_at, kind: "head", stream_id: id("str", 2), key_hints: HINTS } as const;
  const ofOther = issueForkEvidence(foreign.records[5] as never, foreignRetold.records[5] as never, input);
  assert.deepEqual(await outcome(ofOther), ["fork_evidence_invalid /artifacts/forks.json/0/stream_id"]);
  const notes = [told, retold].map(({ checkpoints }) => checkpoints[1]?.note ?? "");
  const find = (a: Json, b: Json) => findFork(a, b, { ...NAMED, kinds: ["note"] }) ?? assert.fail("evidence");
  assert.deepEqual(await outcome(find(notes[0] ?? "", notes[1] ?? "")), DETECTED);
  const renamed = notes.map((note) => note.replaceAll(ORIGIN, "other.example/evidence"));
  const evidence = { ...find(notes[0] ?? "", notes[1] ?? ""), left: renamed[0] ?? "", right: renamed[1] ?? "" };
  assert.deepEqual(await outcome(evidence), ["fork_evidence_invalid /artifacts/forks.json/0/left"]);
  const half = { ...evidence, right: notes[1] ?? "" };
  assert.deepEqual(await outcome(half), INVALID, "two origins, of which one is the bundle's: it shows nothing");
});

test("a witness is convicted that the verifier pins or that a policy lists which the bundle's checkpoints name", async () => {
  const [left, right] = [told.checkpoints[1] ?? assert.fail(), retold.checkpoints[1] ?? assert.fail()];
  const signedBy = async (witness: Signer, name: string) => {
    const [one, two] = [await cosignedNote(left, witness), await cosignedNote(right, witness)];
    const { fork_id, detected_at } = NAMED;
    const hints = [...HINTS, keyHint(kernel, witness.publicKeyHex)];
    const input = { fork_id, detected_at, kind: "witness", stream_id, key_hints: hints } as const;
    assert.ok(one.includes(name));
    return issueForkEvidence(one, two, input);
  };
  const name = `${ORIGIN}/witness`;
  assert.deepEqual(await outcome(await signedBy(WITNESS, name)), DETECTED);
  const stranger = await signedBy(other, name);
  assert.deepEqual(await outcome(stranger), INVALID, "a hinted one is nobody");
  const [one, two] = [await cosignedNote(left, WITNESS), await cosignedNote(right, other)];
  const both = { ...stranger, left: one, right: two };
  const pins = [WITNESS, other].map(({ publicKeyHex }) => ({ name, public_key_hex: publicKeyHex }));
  const { signers } = pinKeys(
    kernel,
    [SERVICE, WITNESS, other].map(({ publicKeyHex }) => publicKeyHex),
  );
  assert.deepEqual(await outcome(both, signers, {}, pins), INVALID, "two witnesses are two");
  assert.deepEqual(await outcome(stranger, signers, {}, pins), DETECTED, "a pinned one");
  const wrong = encodeNoteLine(await cosignLine("w.example", other, "another text", 9));
  const input = { ...NAMED, kinds: ["note"] as const };
  const noted = findFork(`${left.note}${wrong}`, right.note, input) ?? assert.fail("evidence");
  assert.deepEqual(await outcome({ ...noted, key_hints: HINTS }), DETECTED, "and spoils nothing");
  const [key] = WITNESS_POLICY.witnessKeys;
  const listing = {
    ...WITNESS_POLICY,
    policy_version: 2,
    witnessKeys: [{ ...key, public_key_hex: other.publicKeyHex }],
  };
  const { artifacts } = await bundleOf(told, 1, SERVICE, [], [stranger]);
  const witnesses = {
    ...artifacts["witnesses.json"],
    witness_policies: [WITNESS_POLICY, listing as typeof WITNESS_POLICY],
  };
  const shown = { artifacts: { ...artifacts, "witnesses.json": witnesses } };
  assert.deepEqual(await outcome(stranger, [own], shown), INVALID, "a policy that no checkpoint names lists nobody");
});
