/**
 * Turns the declaration of a policy into the version that windows name (protocol section 6): missing numbers are the
 * default ones, and `managed-shadow` without keys is the service's own witness. It stores nothing.
 */
import {
  type Kernel,
  type Policy,
  policyDigest,
  resolveWitnessPolicy,
  type WitnessKey,
  witnessPolicyDigest,
} from "@svc/core";
import type { PolicyVersion } from "./policies-store.ts";
import type { PolicyDocument } from "./policy-document.ts";

const DEFAULT_NUMBERS = {
  window_max_events: 256,
  window_max_seconds: 2,
  checkpoint_max_windows: 64,
  anchor: "none",
} as const satisfies Omit<Policy, "policy_id" | "policy_version">;

/** The owner, the version and the time of a declaration. */
export interface PolicyPlace {
  /** Null for a built-in policy. */
  readonly tenantId: string | null;
  /** From 1. */
  readonly version: number;
  readonly explicit: boolean;
  /** A service time. */
  readonly declaredAt: string;
}

/**
 * Returns the version of a declaration. `own`: the service's own witness. The document must have passed
 * readPolicyDocument.
 */
export function resolvePolicy(
  kernel: Kernel,
  {
    policy_id,
    mode = "managed-shadow",
    threshold = 1,
    witnessKeys = [],
    when_unmet = "closed",
    ...numbers
  }: PolicyDocument,
  own: Omit<WitnessKey, "managed">,
  { tenantId, version, explicit, declaredAt }: PolicyPlace,
): PolicyVersion {
  const name = { policy_id, policy_version: version };
  const policy: Policy = { ...name, ...DEFAULT_NUMBERS, ...numbers };
  const keys = witnessKeys.map((key) => ({
    key_epoch: 1,
    valid_from: declaredAt,
    valid_to: null,
    managed: false,
    ...key,
  }));
  const declared = { ...name, mode, threshold, witnessKeys: keys, declared_at: declaredAt };
  const witnessPolicy = resolveWitnessPolicy(declared, own);
  return {
    tenantId,
    policy,
    policyDigest: policyDigest(kernel, policy),
    witnessPolicy,
    witnessPolicyDigest: witnessPolicyDigest(kernel, witnessPolicy),
    whenUnmet: when_unmet,
    explicit,
  };
}
