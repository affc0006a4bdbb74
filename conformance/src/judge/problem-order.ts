/**
 * The order of a report's problems: between checks it is that of the checks, within one it is free (protocol section
 * 16). A problem does not say its check, and some codes show in several, so an order is wrong only if no choice of
 * checks explains it.
 */
import { CODES } from "../../../packages/core/src/report/codes.ts";
import { isObject, type Json } from "../json.ts";

/** Codes that several checks find. Those of the parser are also found in parts of an object. */
export const OF_SEVERAL_CHECKS: ReadonlySet<string> = new Set(
  [
    "capsule_path_invalid checkpoint_root_mismatch checkpoint_stale checkpoint_window_mismatch fork_detected",
    "head_hash_mismatch inclusion_invalid key_not_pinned key_not_valid_at_time key_revoked key_time_unproven",
    "kid_mismatch malformed missing_member origin_changed policy_changed previous_checkpoint_mismatch",
    "previous_hash_mismatch range_incomplete sequence_broken signature_invalid stream_mismatch too_deep",
    "unknown_member unsupported_object vault_chain_broken vault_lifecycle_conflict vault_lifecycle_mismatch",
    "vault_status_stale witness_signature_invalid",
  ].flatMap((line) => line.split(" ")),
);

/**
 * Returns the index of the first problem that cannot stand where it does; -1 if there is none. `checks` and `problems`:
 * those of the report.
 */
export function misplacedProblem(checks: readonly Json[], problems: readonly Json[]): number {
  const found = checks.filter((check) => isObject(check) && ["fail", "cannot_evaluate"].includes(`${check.status}`));
  const ranks = found.map((check) => (isObject(check) ? check.id : null));
  let rank = 0;
  return problems.findIndex((problem) => {
    const check = checkOf(isObject(problem) ? `${problem.code}` : "");
    const own = check === null ? -1 : ranks.indexOf(check);
    // Another check may have found it: nothing can be said.
    if (own === -1) return false;
    if (own < rank) return true;
    rank = own;
    return false;
  });
}

function checkOf(code: string): string | null {
  if (OF_SEVERAL_CHECKS.has(code) || !Object.hasOwn(CODES, code)) return null;
  return CODES[code as keyof typeof CODES].check;
}
