/**
 * Parses a trust policy of some form: its shape, the identifier of each pin, and the tlog-policy text of its quorum. A
 * pin with a wrong identifier would silently trust nobody, or somebody else, so such a policy is refused as a whole
 * (protocol section 16).
 */
import type { Json, Kernel } from "../kernel/kernel.ts";
import type { Finding } from "../report/report.ts";
import { type Validator, validatorOf } from "../schema/check.ts";
import { shapeProblems } from "../schema/validate.ts";
import { kidOf } from "../seal.ts";
import { PlainTrustPolicy, type TrustPolicy } from "./policy.ts";
import { withTlogPins } from "./tlog-pins.ts";
import { parseTlogPolicy, type TlogPolicyFault } from "./tlog-policy/parse.ts";

/** The prefix of a problem's path that leads into the trust policy and not into the object. */
export const TRUST_PATH = "trust:";

/** The members that a policy may have, and what they must fulfil beside their shape. */
export interface PolicyForm {
  readonly validator: Validator;
  problems(kernel: Kernel, policy: TrustPolicy): readonly Finding[];
}

/** A policy that says nothing of vaults. */
export const PLAIN: PolicyForm = { validator: validatorOf(PlainTrustPolicy), problems: () => [] };

/** A policy, or all of its faults. */
export type ParsedTrustPolicy =
  | { readonly ok: true; readonly policy: TrustPolicy }
  | { readonly ok: false; readonly problems: readonly Finding[] };

/**
 * Parses a trust policy of this form from a strictly parsed value, as parse.ts says of whole policies. Never throws.
 */
export function parsePolicyOf(form: PolicyForm, kernel: Kernel, value: Json): ParsedTrustPolicy {
  const ofShape = shapeProblems(form.validator, value);
  if (ofShape.length > 0) return refused(ofShape);
  const policy = value as TrustPolicy;
  const problems = [...pinProblems(kernel, policy), ...form.problems(kernel, policy)];
  if (typeof policy.quorum !== "string") return problems.length > 0 ? refused(problems) : { ok: true, policy };
  const read = parseTlogPolicy(kernel, policy.quorum);
  if (!read.ok) problems.push(quorumProblem(read));
  if (!read.ok || problems.length > 0) return refused(problems);
  return { ok: true, policy: withTlogPins(kernel, policy, read.policy) };
}

function refused(problems: readonly Finding[]): ParsedTrustPolicy {
  return { ok: false, problems: problems.map((problem) => ({ ...problem, path: `${TRUST_PATH}${problem.path}` })) };
}

function quorumProblem({ code, line, message }: TlogPolicyFault): Finding {
  return { code, path: "/quorum", message: `Line ${line} of the tlog-policy: ${message}` };
}

function pinProblems(kernel: Kernel, { signers }: TrustPolicy): Finding[] {
  return signers.flatMap(({ kid, public_key_hex }, index) => {
    const own = kidOf(kernel, public_key_hex);
    if (kid === own) return [];
    const message = `${kid} is not the identifier of the key beside it.`;
    return [{ code: "kid_mismatch" as const, path: `/signers/${index}/kid`, message, expected: own, actual: kid }];
  });
}
