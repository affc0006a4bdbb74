/** Whole rows of policies as they stand in the database, for checking them: all SQL about it. */
import type { RawRow } from "@svc/host/checks";
import type { Reader } from "@svc/host/store";

/** All versions of all policies. */
export function rawPolicies(reader: Reader): Promise<RawRow[]> {
  return reader.all("SELECT * FROM policies ORDER BY policy_id, policy_version");
}

export function rawWitnessPolicies(reader: Reader): Promise<RawRow[]> {
  return reader.all("SELECT * FROM witness_policies ORDER BY policy_id, policy_version");
}
