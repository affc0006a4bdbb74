/**
 * Parses a trust policy: its shape, the identifier of each pin, and the tlog-policy text of its quorum. A pin with a
 * wrong identifier would silently trust nobody, or somebody else, so such a policy is refused as a whole (protocol
 * section 16).
 */
import type { Json, Kernel } from "../kernel/kernel.ts";
import type { Finding } from "../report/report.ts";
import { validatorOf } from "../schema/check.ts";
import { shapeProblems } from "../schema/validate.ts";
import { kidOf } from "../seal.ts";
import { TrustPolicy } from "./policy.ts";
import { withTlogPins } from "./tlog-pins.ts";
import { parseTlogPolicy, type TlogPolicyFault } from "./tlog-policy/parse.ts";

/** The prefix of a problem's path that leads into the trust policy and not into the object. */
export const TRUST_PATH = "trust:";

const validator = validatorOf(TrustPolicy);

/** A policy, or all of its faults. */
export type ParsedTrustPolicy =
  | { readonly ok: true; readonly policy: TrustPolicy }
  | { readonly ok: false; readonly problems: readonly Finding[] };

/**
 * Parses a trust policy (protocol section 16) from a strictly parsed value. `value`: the policy as JSON. Returns the
 * policy, or every problem, with paths that begin with `trust:`. The signers and witnesses that the text of its quorum
 * pins then stand beside its own. Codes: `missing_member`, `unknown_member` and `malformed` for its shape,
 * `kid_mismatch` for a pin whose `kid` is not its key's; at `/quorum`, `malformed` for a text that is no tlog-policy,
 * and `unsupported_object` for a key of an unknown type. Never throws. It does not say whose keys they are.
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
