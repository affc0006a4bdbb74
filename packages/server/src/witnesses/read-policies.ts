/** What anybody may read of a policy: its numbers and keys, never who declared it. */

import { ServiceError } from "../errors.ts";
import type { Foundation } from "../foundation.ts";
import { newestPolicy, policyVersion } from "./policies-store.ts";

export class ReadPolicies {
  readonly #database: Foundation["database"];

  constructor({ database }: Pick<Foundation, "database">) {
    this.#database = database;
  }

  /** Both policies of an id with their digests; the newest version where none is asked for. */
  async read(policyId: string, version: number | null) {
    const found = await this.#database.read((reader) =>
      version === null ? newestPolicy(reader, policyId) : policyVersion(reader, policyId, version),
    );
    if (found === null)
      throw new ServiceError(
        "policy_not_found",
        `There is no policy ${JSON.stringify(policyId)}${version === null ? "" : ` of version ${version}`}.`,
      );
    return {
      policy_id: found.policy.policy_id,
      policy_version: found.policy.policy_version,
      policy: found.policy,
      policy_digest: found.policyDigest,
      witness_policy: found.witnessPolicy,
      witness_policy_digest: found.witnessPolicyDigest,
    };
  }
}
