/**
 * The built-in policy `default`. Its witness policy is the resolved form of `managed-shadow` without keys (protocol section 6): the
 * service's own witness, which every report names as not independent.
 */
import {
  type Kernel,
  type Policy,
  type PublicKeyHex,
  policyDigest,
  type WitnessPolicy,
  witnessPolicyDigest,
} from "@svc/core";
import type { PolicyVersion } from "./policies-store.ts";

export const DEFAULT_POLICY_ID = "default";

/** The C2SP key name of the deployment's own witness. */
export function managedWitnessName(origin: string): string {
  return `${origin}/witness`;
}

/** Version 1, as it is stored at init. `now` is a service time. */
export function defaultPolicy(kernel: Kernel, origin: string, witnessKeyHex: PublicKeyHex, now: string): PolicyVersion {
  const policy: Policy = {
    policy_id: DEFAULT_POLICY_ID,
    policy_version: 1,
    window_max_events: 256,
    window_max_seconds: 2,
    checkpoint_max_windows: 64,
    anchor: "none",
  };
  const witnessPolicy: WitnessPolicy = {
    policy_id: DEFAULT_POLICY_ID,
    policy_version: 1,
    mode: "managed-shadow",
    threshold: 1,
    witnessKeys: [
      {
        witness_id: "managed",
        name: managedWitnessName(origin),
        public_key_hex: witnessKeyHex,
        key_epoch: 1,
        valid_from: now,
        valid_to: null,
        managed: true,
      },
    ],
    declared_at: now,
  };
  return {
    policy,
    policyDigest: policyDigest(kernel, policy),
    witnessPolicy,
    witnessPolicyDigest: witnessPolicyDigest(kernel, witnessPolicy),
    explicit: false,
  };
}
