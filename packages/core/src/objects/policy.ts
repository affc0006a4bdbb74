/** The policy of a stream and its witness policy, which windows and checkpoints name by digest (protocol section 6). */
import type { Kernel } from "../kernel/kernel.ts";
import { digest } from "../protocol.ts";
import {
  Closed,
  type HashHex,
  KeyName,
  NullableServiceTime,
  OneOf,
  Ordinal,
  PublicKey,
  ServiceTime,
  Slug,
} from "../schema/atoms.ts";
import * as Type from "../schema/type.ts";

/**
 * The rules by which a stream is sealed (protocol section 6). As JSON:
 *
 * ```json
 * {"policy_id":"default","policy_version":1,"window_max_events":1024,"window_max_seconds":10,
 *  "checkpoint_max_windows":64,"anchor":"none"}
 * ```
 */
export const Policy = Closed(
  {
    policy_id: Slug,
    policy_version: Ordinal,
    window_max_events: Ordinal,
    window_max_seconds: Ordinal,
    checkpoint_max_windows: Ordinal,
    anchor: OneOf("none", "optional", "required"),
  },
  { $id: "policy" },
);
export type Policy = Type.Static<typeof Policy>;

/**
 * The key of a witness in a witness policy (protocol section 6). As JSON, shortened:
 *
 * ```json
 * {"witness_id":"managed","name":"test.example/evidence/witness","public_key_hex":"23b022…","key_epoch":1,
 *  "valid_from":"2026-01-01T00:00:00.000Z","valid_to":null,"managed":true}
 * ```
 */
export const WitnessKey = Closed({
  witness_id: Slug,
  name: KeyName,
  public_key_hex: PublicKey,
  key_epoch: Ordinal,
  valid_from: ServiceTime,
  valid_to: NullableServiceTime,
  managed: Type.Boolean(),
});
export type WitnessKey = Type.Static<typeof WitnessKey>;

/**
 * The witnesses that a stream is to have, and how many of them must cosign (protocol section 6). As JSON, shortened:
 *
 * ```json
 * {"policy_id":"default","policy_version":1,"mode":"managed-shadow","threshold":1,"witnessKeys":[],
 *  "declared_at":"2026-01-01T00:00:00.000Z"}
 * ```
 */
export const WitnessPolicy = Closed(
  {
    policy_id: Slug,
    policy_version: Ordinal,
    mode: OneOf("managed-shadow", "independent"),
    threshold: Ordinal,
    witnessKeys: Type.Array(WitnessKey),
    declared_at: ServiceTime,
  },
  { $id: "witness-policy" },
);
export type WitnessPolicy = Type.Static<typeof WitnessPolicy>;

/**
 * Returns the digest by which windows and checkpoints name a policy (protocol section 6), 64 lowercase hex characters.
 * It does not check the policy.
 *
 * @example
 * const [policy] = bundle.artifacts["witnesses.json"].policies;
 * console.log(policy !== undefined && policyDigest(kernel, policy) === window.policy_digest); // true
 */
export function policyDigest(kernel: Kernel, policy: Policy): HashHex {
  return digest(kernel, "policy", policy);
}

/**
 * Returns the digest by which windows and checkpoints name a witness policy (protocol section 6), 64 lowercase hex
 * characters. It does not check the policy.
 *
 * @example
 * console.log(witnessPolicyDigest(kernel, witnessPolicy) === window.witness_policy_digest); // true
 */
export function witnessPolicyDigest(kernel: Kernel, policy: WitnessPolicy): HashHex {
  return digest(kernel, "witness-policy", policy);
}

/**
 * Returns the witness policy that is hashed and served (protocol section 6). `declared`: a `managed-shadow` policy
 * without keys resolves to the service's own witness, any other policy to itself. `own`: the key of that witness.
 * Throws RangeError if the result has a fault that `witnessPolicyFault` finds.
 *
 * @example
 * const [own] = witnessPolicy.witnessKeys;
 * const declared = { ...witnessPolicy, witnessKeys: [] };
 * console.log(own !== undefined && resolveWitnessPolicy(declared, own).witnessKeys.length); // 1
 */
export function resolveWitnessPolicy(declared: WitnessPolicy, own: Omit<WitnessKey, "managed">): WitnessPolicy {
  const isShadow = declared.mode === "managed-shadow" && declared.witnessKeys.length === 0;
  const resolved = isShadow ? { ...declared, witnessKeys: [{ ...own, managed: true }] } : declared;
  const fault = witnessPolicyFault(resolved);
  if (fault !== null) throw new RangeError(fault);
  return resolved;
}

/**
 * Returns the fault of a witness policy that its schema cannot express, in words, or null (protocol section 6). It
 * finds a public key that is listed twice, and a threshold above the number of witnesses.
 *
 * @example
 * const fault = witnessPolicyFault({ ...witnessPolicy, threshold: 9 });
 * console.log(fault); // The witness policy asks for more witnesses than it lists.
 */
export function witnessPolicyFault(policy: WitnessPolicy): string | null {
  const keys = new Set(policy.witnessKeys.map((key) => key.public_key_hex));
  if (keys.size !== policy.witnessKeys.length) return "A public key appears twice in the witness policy.";
  const witnesses = new Set(policy.witnessKeys.map((key) => key.witness_id));
  if (policy.threshold > witnesses.size) return "The witness policy asks for more witnesses than it lists.";
  return null;
}
