/**
 * The built-in policy `default`, whose numbers replace those that a declared policy leaves out. Its witness policy is
 * the resolved form of `managed-shadow` without keys (protocol section 6): the service's own witness, which every
 * report names as not independent.
 */
import type { Kernel, PublicKeyHex } from "@svc/core";
import type { PolicyVersion } from "./policies-store.ts";
import { resolvePolicy } from "./resolve-policy.ts";

/** The id of the built-in policy. */
export const DEFAULT_POLICY_ID = "default";

/** Returns the C2SP key name of the deployment's own witness. */
export function managedWitnessName(origin: string): string {
  return `${origin}/witness`;
}

/** Returns version 1, as init stores it. `now`: a service time. */
export function defaultPolicy(kernel: Kernel, origin: string, witnessKeyHex: PublicKeyHex, now: string): PolicyVersion {
  const own = {
    witness_id: "managed",
    name: managedWitnessName(origin),
    public_key_hex: witnessKeyHex,
    key_epoch: 1,
    valid_from: now,
    valid_to: null,
  };
  const place = { tenantId: null, version: 1, explicit: false, declaredAt: now };
  return resolvePolicy(kernel, { policy_id: DEFAULT_POLICY_ID }, own, place);
}
