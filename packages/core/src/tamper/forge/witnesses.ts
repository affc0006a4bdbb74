/**
 * Makes policies and witness statements fit again (protocol sections 6 and 10). A stranger lists its own witnesses: the
 * old ones would not cosign.
 */
import { encodeHex, hexToBytes } from "../../encoding/hex.ts";
import { cosignedBytes } from "../../note/cosignature.ts";
import { checkpointText } from "../../note/signed-note.ts";
import type { WitnessArtifact } from "../../objects/bundle/schema.ts";
import { type Checkpoint, checkpointHash } from "../../objects/checkpoint.ts";
import { policyDigest, type WitnessPolicy, witnessPolicyDigest } from "../../objects/policy.ts";
import type { Window } from "../../objects/window.ts";
import type { WitnessStatement } from "../../objects/witness.ts";
import type { HashHex, SignatureHex } from "../../schema/atoms.ts";
import type { Forger } from "./forger.ts";
import { untrustedSigner } from "./untrusted-signer.ts";

/** Returns a part with the new digests of its policies. A policy that is not shown keeps its digest. */
export type RenamedDigests = <Part extends Window | Checkpoint>(part: Part) => Part;

/**
 * Returns the witnesses' part of an object with its present policies, and the function that gives windows and
 * checkpoints their digests.
 */
export function policiesAgain(
  forger: Forger,
  good: WitnessArtifact,
  edited: WitnessArtifact,
): { readonly witnesses: WitnessArtifact; readonly renamed: RenamedDigests } {
  const { kernel, signs } = forger;
  const witness_policies = signs ? edited.witness_policies.map(withStrangers) : edited.witness_policies;
  const digests = new Map<HashHex, HashHex>();
  good.policies.forEach((policy, index) => {
    const now = edited.policies[index];
    if (now !== undefined) digests.set(policyDigest(kernel, policy), policyDigest(kernel, now));
  });
  good.witness_policies.forEach((policy, index) => {
    const now = witness_policies[index];
    if (now !== undefined) digests.set(witnessPolicyDigest(kernel, policy), witnessPolicyDigest(kernel, now));
  });
  const now = (digest: HashHex) => digests.get(digest) ?? digest;
  const renamed: RenamedDigests = (part) => ({
    ...part,
    policy_digest: now(part.policy_digest),
    witness_policy_digest: now(part.witness_policy_digest),
  });
  return { witnesses: { ...edited, witness_policies }, renamed };
}

function withStrangers(policy: WitnessPolicy): WitnessPolicy {
  const witnessKeys = policy.witnessKeys.map((key, index) => ({
    ...key,
    public_key_hex: untrustedSigner(`witness ${index}`).publicKeyHex,
  }));
  return { ...policy, witnessKeys };
}

/**
 * Returns statements about the present checkpoints, each in the place of the one about the good checkpoint at the same
 * index.
 */
export function statementsAgain(
  forger: Forger,
  { statements, witness_policies }: WitnessArtifact,
  good: readonly Checkpoint[],
  now: readonly Checkpoint[],
): WitnessStatement[] {
  return statements.map((statement) => {
    const isNamed = ({ checkpoint_id }: Checkpoint) => checkpoint_id === statement.checkpoint_id;
    const checkpoint = now[good.findIndex(isNamed)] ?? now.find(isNamed);
    if (checkpoint === undefined) return statement;
    const { stream_id, checkpoint_id, window_count, checkpoint_root } = checkpoint;
    const checkpoint_hash = checkpointHash(forger.kernel, checkpoint);
    const named = { ...statement, stream_id, checkpoint_id, checkpoint_hash, window_count, checkpoint_root };
    return forger.signs ? cosigned(forger, named, checkpoint, witness_policies) : named;
  });
}

function cosigned(
  { kernel }: Forger,
  statement: WitnessStatement,
  { origin, window_count, checkpoint_root, witness_policy_digest }: Checkpoint,
  policies: readonly WitnessPolicy[],
): WitnessStatement {
  const { witness_id, key_epoch, cosigned_at } = statement;
  const policy = policies.find((one) => witnessPolicyDigest(kernel, one) === witness_policy_digest);
  const index = policy?.witnessKeys.findIndex((key) => key.witness_id === witness_id && key.key_epoch === key_epoch);
  if (index === undefined || index < 0) return statement;
  const message = cosignedBytes(cosigned_at, checkpointText(origin, window_count, hexToBytes(checkpoint_root)));
  return { ...statement, signature: encodeHex(untrustedSigner(`witness ${index}`).sign(message)) as SignatureHex };
}
