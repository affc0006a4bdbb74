/**
 * Reading a trust policy: its shape, that each pin's identifier is its key's, and the tlog-policy text of its quorum. A pin with another
 * identifier would silently trust nobody, or somebody else, so such a policy is refused as a whole (protocol section 16).
 */
import type { Json, Kernel } from "../kernel/kernel.ts";
import type { Finding } from "../report/report.ts";
import { validatorOf } from "../schema/check.ts";
import { shapeProblems } from "../schema/validate.ts";
import { kidOf } from "../seal.ts";
import { TrustPolicy } from "./policy.ts";
import { withTlogPins } from "./tlog-pins.ts";
import { parseTlogPolicy, type TlogPolicyFault } from "./tlog-policy/parse.ts";

/** What a problem's path begins with that stands in the trust policy and not in the object. */
export const TRUST_PATH = "trust:";

const validator = validatorOf(TrustPolicy);

/** A policy, or everything that keeps the value from being one. */
export type ParsedTrustPolicy =
  | { readonly ok: true; readonly policy: TrustPolicy }
  | { readonly ok: false; readonly problems: readonly Finding[] };

/**
 * Reads a trust policy from a strictly parsed value; those whom the text of its quorum pins stand among its signers and witnesses then.
 * Never throws. `malformed`, `unsupported_object` at `/quorum`: the text is no tlog-policy, or names a key of an unknown type.
 *
 * @example
 * const read = parseTrustPolicy(selectKernel(), JSON.parse('{"signers":[{"kid":"none"}]}'));
 * console.log(read.ok || read.problems[0]?.path); // trust:/signers/0/public_key_hex
 */
export function parseTrustPolicy(kernel: Kernel, value: Json): ParsedTrustPolicy {
  const ofShape = shapeProblems(validator, value);
  if (ofShape.length > 0) return refused(ofShape);
  const policy = value as TrustPolicy;
  const problems = pinProblems(kernel, policy);
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
