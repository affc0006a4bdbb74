/** Whole rows of policies as the database stores them, for checking: all SQL about it. */
import type { RawRow } from "@svc/host/checks";
import type { Reader } from "@svc/host/store";

/** Resolves to all versions of all policies. */
export function rawPolicies(reader: Reader): Promise<RawRow[]> {
  return reader.all("SELECT * FROM policies ORDER BY policy_id, policy_version");
}

/** Resolves to all versions of all witness policies. */
export function rawWitnessPolicies(reader: Reader): Promise<RawRow[]> {
  return reader.all("SELECT * FROM witness_policies ORDER BY policy_id, policy_version");
}
