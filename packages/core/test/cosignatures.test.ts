/**
 * A cosignature counts in the time of its key, and not before the checkpoint was made. And a proof is bound to its own
 * place.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cosigned } from "@svc/testkit/evidence/resealed";
import {
  at,
  bundleOf,
  issueStream,
  ORIGIN,
  SERVICE,
  type StreamOptions,
  WITNESS,
  WITNESS_POLICY,
} from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { issueInclusion, type Json, type PublicKeyHex, pinKeys, referenceKernel, verify } from "../src/index.ts";
import { type KnownWitness, KnownWitnesses } from "../src/objects/known-witnesses.ts";
import { witnessPolicyFault } from "../src/objects/policy.ts";
import { byWitness } from "../src/objects/same-witness.ts";

const kernel = referenceKernel;
const pinned = pinKeys(kernel, [SERVICE.publicKeyHex]);
/** Checkpoints of a stream of three events are made at second 5. */
const MADE = 5;

function codes(object: unknown, trust: object = pinned): string[] {
  const bytes = kernel.canonicalize(JSON.parse(JSON.stringify(object)) as Json);
  return [...new Set(verify(bytes, { trust: trust as Json }).problems.map(({ code }) => code))];
}

async function bundleCodes(options: StreamOptions): Promise<string[]> {
  return codes(await bundleOf(await issueStream(3, options)));
}

const UNTIMELY = ["witness_key_epoch_invalid", "witness_quorum_unmet"];

test("a cosignature may be dated up to 300 seconds before its checkpoint", async () => {
  assert.deepEqual(await bundleCodes({ cosignedAfter: -300 }), []);
  assert.deepEqual(await bundleCodes({ cosignedAfter: -301 }), UNTIMELY);
});

test("a witness key counts from valid_from, rounded down to the second, to valid_to, both included", async () => {
  const second = (offset: number, milliseconds = "000") => at(MADE + offset).replace(".000Z", `.${milliseconds}Z`);
  assert.deepEqual(await bundleCodes({ witnessKey: { valid_from: second(1, "999") } }), []);
  assert.deepEqual(await bundleCodes({ witnessKey: { valid_from: second(2) } }), UNTIMELY);
  assert.deepEqual(await bundleCodes({ witnessKey: { valid_to: second(1) } }), []);
  assert.deepEqual(await bundleCodes({ witnessKey: { valid_to: second(0, "999") } }), UNTIMELY);
});

test("a pinned witness is name and key together", async () => {
  const bundle = await bundleOf(await issueStream(3));
  const witness = (name: string) => ({
    ...pinned,
    quorum: 1,
    witnesses: [{ name, public_key_hex: WITNESS.publicKeyHex }],
  });
  assert.deepEqual(codes(bundle, witness(`${ORIGIN}/witness`)), []);
  assert.deepEqual(codes(bundle, witness(`${ORIGIN}/other`)), ["witness_quorum_unmet"]);
});

test("an inclusion proof of one event does not stand for another", async () => {
  const { records, windows } = await issueStream(4);
  const [window] = windows;
  assert.ok(window !== undefined);
  const hashes = records.map((record) => record.event_hash);
  const inclusion = issueInclusion(kernel, window, hashes, 2);
  assert.deepEqual(codes({ ...window, inclusions: [inclusion] }), []);
  assert.deepEqual(codes({ ...window, inclusions: [{ ...inclusion, seq_no: 3 }] }), ["inclusion_invalid"]);
});

test("whom a cosigner joins are one witness with all that they were before", () => {
  const known = (name: string, key: string): KnownWitness => ({
    name,
    publicKeyHex: key as PublicKeyHex,
    isPinned: true,
    listed: null,
  });
  // The third joins the first two; the fourth shares a mark with the second alone.
  const cosigners = [known("a", "1"), known("b", "2"), known("a", "2"), known("b", "4"), known("c", "5")];
  assert.deepEqual(
    byWitness(cosigners).map((group) => group.map(({ name, publicKeyHex }) => name + publicKeyHex)),
    [["a1", "b2", "a2", "b4"], ["c5"]],
  );
});

test("of several pinned witnesses the earliest dates the checkpoint", async () => {
  const [checkpoint] = (await issueStream(3)).checkpoints;
  assert.ok(checkpoint !== undefined);
  const made = Date.parse(at(MADE)) / 1000;
  const names = ["a.example", "b.example", "c.example"];
  const witnesses = names.map((name) => ({ name, public_key_hex: testSigner(name).publicKeyHex }));
  const signers = pinned.signers.map((signer) => ({ ...signer, valid_to: at(MADE + 10) }));
  for (const times of [
    [1, 20, 30],
    [20, 1, 30],
    [30, 20, 1],
  ]) {
    const lines = names.map((name, index) => ({ name, signer: testSigner(name), time: made + (times[index] ?? 0) }));
    assert.deepEqual(codes(await cosigned(checkpoint, lines), { signers, witnesses }), [], `${times}`);
    const late = lines.filter(({ time }) => time > made + 10);
    assert.deepEqual(codes(await cosigned(checkpoint, late), { signers, witnesses }), ["key_time_unproven"]);
  }
});

test("a witness policy names no key twice, and asks for no more witnesses than it lists", () => {
  const [key] = WITNESS_POLICY.witnessKeys;
  assert.ok(key !== undefined);
  const other = { ...key, witness_id: "other", key_epoch: 2 };
  const next = { ...other, public_key_hex: SERVICE.publicKeyHex };
  const fault = (threshold: number, ...witnessKeys: (typeof key)[]) =>
    witnessPolicyFault({ ...WITNESS_POLICY, threshold, witnessKeys });
  assert.equal(fault(2, key, next), null);
  assert.match(fault(1, key, other) ?? "", /appears twice/);
  assert.match(fault(2, key, { ...next, witness_id: key.witness_id }) ?? "", /more witnesses than it lists/);
});

test("a line may be by any of the known keys that share its name and id", () => {
  const sameIds = { ...kernel, sha256Hex: null, sha256: () => new Uint8Array(32) };
  const pins = ["1", "2"].map((digit) => ({ name: "a.example", public_key_hex: digit.repeat(64) as PublicKeyHex }));
  const known = new KnownWitnesses(sameIds, null, pins);
  assert.deepEqual(
    known.ofLine("a.example", "00000000").map(({ publicKeyHex }) => publicKeyHex),
    pins.map(({ public_key_hex }) => public_key_hex),
  );
});
