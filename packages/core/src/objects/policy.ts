/**
 * The policy of a stream and its witness policy: what windows and checkpoints name by digest (protocol section 6).
 */
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

/** Which witnesses a stream is to have, and how many (protocol section 6). */
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

/** The digest by which windows and checkpoints name a policy. */
export function policyDigest(kernel: Kernel, policy: Policy): HashHex {
  return digest(kernel, "policy", policy);
}

/** The digest by which windows and checkpoints name a witness policy. */
export function witnessPolicyDigest(kernel: Kernel, policy: WitnessPolicy): HashHex {
  return digest(kernel, "witness-policy", policy);
}

/**
 * The witness policy that is hashed and served: `managed-shadow` declared without keys resolves to the service's own witness, any other
 * one to itself. RangeError where the result breaks what the protocol asks of one.
 */
export function resolveWitnessPolicy(declared: WitnessPolicy, own: Omit<WitnessKey, "managed">): WitnessPolicy {
  const isShadow = declared.mode === "managed-shadow" && declared.witnessKeys.length === 0;
  const resolved = isShadow ? { ...declared, witnessKeys: [{ ...own, managed: true }] } : declared;
  const fault = witnessPolicyFault(resolved);
  if (fault !== null) throw new RangeError(fault);
  return resolved;
}

/** What a witness policy breaks that its schema cannot say, in words; null where it breaks nothing. */
export function witnessPolicyFault(policy: WitnessPolicy): string | null {
  const keys = new Set(policy.witnessKeys.map((key) => key.public_key_hex));
  if (keys.size !== policy.witnessKeys.length) return "A public key stands twice in the witness policy.";
  const witnesses = new Set(policy.witnessKeys.map((key) => key.witness_id));
  if (policy.threshold > witnesses.size) return "The witness policy asks for more witnesses than it lists.";
  return null;
}
