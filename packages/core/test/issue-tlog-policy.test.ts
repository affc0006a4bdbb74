/** A witness policy as a tlog-policy: it reads back as the same log, witnesses and quorum. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { told } from "@svc/testkit/evidence/forks";
import { ORIGIN, SERVICE, WITNESS, WITNESS_POLICY } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import {
  issueTlogPolicy,
  leastWitnesses,
  openNote,
  parseTlogPolicy,
  referenceKernel,
  type VerificationKey,
  type WitnessKey,
} from "../src/index.ts";

const kernel = referenceKernel;
const [checkpoint] = told.checkpoints;
const [own] = WITNESS_POLICY.witnessKeys as [WitnessKey];
const keyOf = (witness_id: string, key_epoch = 1): WitnessKey => ({
  ...own,
  witness_id,
  key_epoch,
  name: `${witness_id}.example`,
  public_key_hex: testSigner(`${witness_id} ${key_epoch}`).publicKeyHex,
});

test("the log line verifies the notes of the stream, and the witness line is that of its key", () => {
  const origin = checkpoint?.origin ?? "";
  const read = parseTlogPolicy(kernel, issueTlogPolicy(kernel, origin, SERVICE.publicKeyHex, WITNESS_POLICY));
  assert.ok(read.ok);
  const [{ key: log } = { key: null }] = read.policy.logs;
  assert.deepEqual([log?.name, log?.keyHex], [origin, SERVICE.publicKeyHex]);
  const [{ key: witness } = { key: null }] = read.policy.witnesses;
  assert.deepEqual([witness?.name, witness?.keyHex, witness?.type], [`${ORIGIN}/witness`, WITNESS.publicKeyHex, 4]);
  assert.equal(leastWitnesses(read.policy.quorum), 1);
  const key = { ...log, publicKeyHex: SERVICE.publicKeyHex } as unknown as VerificationKey;
  assert.ok(openNote(kernel, checkpoint?.note ?? "", [key]).ok);
});

test("a witness with several keys counts once, and the threshold is the policy's", () => {
  const witnessKeys = [keyOf("a"), keyOf("a", 2), keyOf("b"), keyOf("c"), keyOf("none")];
  const text = issueTlogPolicy(kernel, ORIGIN, SERVICE.publicKeyHex, { threshold: 3, witnessKeys });
  const read = parseTlogPolicy(kernel, text);
  assert.ok(read.ok, JSON.stringify(read));
  const { quorum, witnesses } = read.policy;
  assert.equal(witnesses.length, 5);
  assert.ok(quorum?.kind === "group");
  assert.deepEqual([quorum.threshold, quorum.members.length, leastWitnesses(quorum)], [3, 4, 3]);
  const [a] = quorum.members;
  assert.ok(a?.kind === "group" && a.threshold === 1 && a.members.length === 2);
});
