/** Parses a whole trust policy, with what it says of vaults (protocol sections 16 and 33). */
import type { Json, Kernel } from "../kernel/kernel.ts";
import type { Finding } from "../report/report.ts";
import { validatorOf } from "../schema/check.ts";
import { kidOf } from "../seal.ts";
import { keyStatusFaults } from "../vault/key-status/faults.ts";
import { type ParsedTrustPolicy, type PolicyForm, parsePolicyOf } from "./parse-form.ts";
import { TrustPolicy } from "./vault-policy.ts";

const WHOLE: PolicyForm = { validator: validatorOf(TrustPolicy), problems: vaultProblems };

/**
 * Parses a trust policy (protocol section 16) from a strictly parsed value. `value`: the policy as JSON. Returns the
 * policy, or every problem, with paths that begin with `trust:`. The signers and witnesses that the text of its quorum
 * pins are then beside its own. Codes: `missing_member`, `unknown_member` and `malformed` for its shape,
 * `kid_mismatch` for a pin whose `kid` is not its key's; at `/quorum`, `malformed` for a text that is no tlog-policy,
 * and `unsupported_object` for a key of an unknown type. Never throws. It does not say whose keys they are.
 *
 * @example
 * const read = parseTrustPolicy(selectKernel(), JSON.parse('{"signers":[{"kid":"none"}]}'));
 * console.log(read.ok || read.problems[0]?.path); // trust:/signers/0/public_key_hex
 */
export function parseTrustPolicy(kernel: Kernel, value: Json): ParsedTrustPolicy {
  return parsePolicyOf(WHOLE, kernel, value);
}

/** Returns the faults of pinned vaults and of statuses: two pins of one installation, members that contradict. */
function vaultProblems(kernel: Kernel, { vaults = [], key_status = [] }: TrustPolicy): Finding[] {
  const seen = new Set<string>();
  const repeated = vaults.flatMap(({ installation_id }, index) => {
    if (!seen.has(installation_id)) return seen.add(installation_id) && [];
    const message = `${installation_id} is pinned twice.`;
    return [{ code: "malformed" as const, path: `/vaults/${index}/installation_id`, message }];
  });
  const ofStatuses = key_status.flatMap((status, index) => {
    const path = `/key_status/${index}`;
    const faults = keyStatusFaults(status, path).map((fault) => ({ code: "malformed" as const, ...fault }));
    const own = kidOf(kernel, status.publicKeyHex);
    if (status.keyId === own) return faults;
    const message = `${status.keyId} is not the identifier of the key beside it.`;
    const mismatch = {
      code: "kid_mismatch" as const,
      path: `${path}/keyId`,
      message,
      expected: own,
      actual: status.keyId,
    };
    return [...faults, mismatch];
  });
  return [...repeated, ...ofStatuses];
}
