/**
 * An event as a tlog-proof: the parts of its portable receipt that go along, the statements that become lines, and
 * texts that are no such proof.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { at, bundleOf, id, issueStream, ORIGIN, SERVICE, WITNESS_POLICY } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import {
  issueEventProof,
  issueKeyEndorsement,
  issueWitnessStatement,
  type JsonObject,
  openEventProof,
  type PortableReceipt,
  parseNote,
  parseTlogProof,
  portableReceiptOf,
  referenceKernel,
  type TlogProof,
} from "../src/index.ts";

const kernel = referenceKernel;
const portable = portableReceiptOf(kernel, await bundleOf(await issueStream(6, { perWindow: 2, perCheckpoint: 3 })), 3);
const { checkpoint, witnesses } = portable;
assert.ok(checkpoint !== undefined && witnesses !== undefined);
const WITNESS_NAME = `${ORIGIN}/witness`;

function proofOf(changes: object): TlogProof {
  const read = parseTlogProof(issueEventProof(kernel, { ...portable, ...changes } as PortableReceipt));
  assert.ok(read.ok);
  return read.proof;
}

const extraOf = ({ extra }: TlogProof) => JSON.parse(new TextDecoder().decode(extra ?? new Uint8Array())) as JsonObject;
const namesOf = ({ checkpoint: note }: TlogProof) => parseNote(note)?.lines.map(({ name }) => name) ?? [];

test("what leads from the event to its window goes along, with the keys that there are", async () => {
  const { format, version, receipt, inclusion, window, key_hints } = portable;
  const parts = { format, version, receipt, inclusion, window };
  assert.deepEqual(extraOf(proofOf({})), { ...parts, key_hints });
  assert.deepEqual(extraOf(proofOf({ key_hints: undefined })), parts);
  const endorsement = await issueKeyEndorsement(kernel, SERVICE, testSigner("next").publicKeyHex, at(0));
  const key_endorsements = [endorsement];
  assert.deepEqual(extraOf(proofOf({ key_endorsements })), { ...parts, key_hints, key_endorsements });
  assert.deepEqual(extraOf(proofOf({ inclusion: undefined })), { format, version, receipt, window, key_hints });
});

test("an event without a window, a path, a checkpoint or a signed note has no proof", () => {
  for (const missing of ["window", "checkpoint_inclusion", "checkpoint"])
    assert.throws(() => proofOf({ [missing]: undefined }), RangeError, missing);
  assert.throws(
    () => proofOf({ checkpoint: { ...checkpoint, note: "" } }),
    /the checkpoint's note is not a signed note/,
  );
});

test("the statements about the checkpoint become lines, each under the name of its key", async () => {
  const origin = `${ORIGIN}/${checkpoint.stream_id}`;
  assert.deepEqual(namesOf(proofOf({})), [origin, WITNESS_NAME]);
  assert.deepEqual(namesOf(proofOf({ witnesses: undefined })), [origin]);
  const [key] = WITNESS_POLICY.witnessKeys;
  const keys = ["x", "y"].flatMap((witness_id) =>
    [1, 2].map((key_epoch) => {
      const name = `${witness_id}${key_epoch}.example`;
      return { ...key, witness_id, key_epoch, name, public_key_hex: testSigner(name).publicKeyHex };
    }),
  );
  const policy = { ...WITNESS_POLICY, witnessKeys: keys };
  const { policies } = witnesses;
  const named = await issueStream(6, {
    perWindow: 2,
    perCheckpoint: 3,
    witnessPolicy: policy as typeof WITNESS_POLICY,
  });
  const [own] = named.checkpoints;
  assert.ok(own !== undefined);
  const statement = (witness_id: string, key_epoch: number) =>
    issueWitnessStatement(kernel, testSigner(`${witness_id}${key_epoch}.example`), { witness_id, key_epoch }, own, 9);
  const statements = [await statement("x", 2), await statement("y", 1), await statement("y", 2)];
  // The policy that another checkpoint names comes first, and lists the same witness under another name.
  const other = { ...policy, policy_version: 2, witnessKeys: keys.map((one) => ({ ...one, name: "other.example" })) };
  const shown = { policies, witness_policies: [other, policy], statements };
  const lines = namesOf(proofOf({ checkpoint: own, witnesses: shown }));
  assert.deepEqual(lines, [origin, "x2.example", "y1.example", "y2.example"]);
  const elsewhere = statements.map((one) => ({ ...one, checkpoint_id: id("chk", 99) }));
  assert.deepEqual(namesOf(proofOf({ checkpoint: own, witnesses: { ...shown, statements: elsewhere } })), [origin]);
  const unlisted = [{ ...(await statement("x", 1)), key_epoch: 3 }];
  assert.deepEqual(namesOf(proofOf({ checkpoint: own, witnesses: { ...shown, statements: unlisted } })), [origin]);
});

test("a line appears once, and a note has no more of them than a note may", async () => {
  const twice = { ...witnesses, statements: [...witnesses.statements, ...witnesses.statements] };
  assert.equal(namesOf(proofOf({ witnesses: twice })).length, 2);
  const statements = await Promise.all(
    Array.from({ length: 70 }, (_, index) =>
      issueWitnessStatement(
        kernel,
        testSigner("witness"),
        { witness_id: "managed", key_epoch: 1 },
        checkpoint,
        1000 + index,
      ),
    ),
  );
  assert.equal(namesOf(proofOf({ witnesses: { ...witnesses, statements } })).length, 64);
});

test("a proof is of an event of the checkpoint's stream", () => {
  const proof = proofOf({});
  const code = (changes: object, origin = proof.tree.origin) => {
    const extra = new TextEncoder().encode(JSON.stringify({ ...extraOf(proof), ...changes }));
    const opened = openEventProof(kernel, { ...proof, extra, tree: { ...proof.tree, origin } });
    return opened.ok ? "ok" : opened.code;
  };
  assert.equal(code({}), "ok");
  assert.equal(code({ receipt: { ...portable.receipt, stream_id: id("str", 2) } }), "stream_mismatch");
  assert.equal(code({ window: { ...portable.window, stream_id: id("str", 2) } }), "stream_mismatch");
  assert.equal(code({}, `${ORIGIN}/${id("str", 2)}`), "stream_mismatch");
  assert.equal(code({}, `${ORIGIN}-${checkpoint.stream_id}`), "stream_mismatch");
});
