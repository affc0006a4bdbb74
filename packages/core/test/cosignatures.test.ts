/** When a cosignature counts: in the time of its key, and not before the checkpoint was made. And a proof is bound to its own place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { issueInclusion, type Json, type PublicKeyHex, pinKeys, referenceKernel, verify } from "../src/index.ts";
import type { KnownWitness } from "../src/objects/known-witnesses.ts";
import { byWitness } from "../src/objects/same-witness.ts";
import { at, bundleOf, issueStream, ORIGIN, SERVICE, type StreamOptions, WITNESS } from "./service.ts";

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
  // The third joins the first two; the fourth has a mark of the second alone.
  const cosigners = [known("a", "1"), known("b", "2"), known("a", "2"), known("b", "4"), known("c", "5")];
  assert.deepEqual(
    byWitness(cosigners).map((group) => group.map(({ name, publicKeyHex }) => name + publicKeyHex)),
    [["a1", "b2", "a2", "b4"], ["c5"]],
  );
});
