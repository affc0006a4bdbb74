/**
 * Reading a trust policy: its shape, and that each pin's identifier is its key's. A pin with another identifier would silently trust
 * nobody, or somebody else, so such a policy is refused as a whole (protocol section 16).
 */
import type { Json, Kernel } from "../kernel/kernel.ts";
import type { Finding } from "../report/report.ts";
import * as validators from "../schema/generated/validators.js";
import { shapeProblems, type Validator } from "../schema/validate.ts";
import { kidOf } from "../seal.ts";
import type { TrustPolicy } from "./policy.ts";

/** What a problem's path begins with that stands in the trust policy and not in the object. */
export const TRUST_PATH = "trust:";

/** A policy, or everything that keeps the value from being one. */
export type ParsedTrustPolicy =
  | { readonly ok: true; readonly policy: TrustPolicy }
  | { readonly ok: false; readonly problems: readonly Finding[] };

/** Reads a trust policy from a strictly parsed value. Never throws. */
export function parseTrustPolicy(kernel: Kernel, value: Json): ParsedTrustPolicy {
  const ofShape = shapeProblems(validators.trust_policy as Validator, value);
  const problems = ofShape.length > 0 ? ofShape : pinProblems(kernel, value as unknown as TrustPolicy);
  if (problems.length === 0) return { ok: true, policy: value as unknown as TrustPolicy };
  return { ok: false, problems: problems.map((problem) => ({ ...problem, path: `${TRUST_PATH}${problem.path}` })) };
}

function pinProblems(kernel: Kernel, { signers }: TrustPolicy): Finding[] {
  return signers.flatMap(({ kid, public_key_hex }, index) => {
    const own = kidOf(kernel, public_key_hex);
    if (kid === own) return [];
    const message = `${kid} is not the identifier of the key beside it.`;
    return [{ code: "kid_mismatch" as const, path: `/signers/${index}/kid`, message, expected: own, actual: kid }];
  });
}
