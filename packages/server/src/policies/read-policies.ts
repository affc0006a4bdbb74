/**
 * The public part of a policy: its numbers and keys, never its owner. Several tenants may have the same id, so a reader
 * needs the digest that windows and checkpoints name; an id alone tells nobody about other tenants.
 */
import type { WitnessPolicy } from "@svc/core";
import { ServiceError } from "@svc/host/errors";
import type { Reader } from "@svc/host/store";
import type { AnsweringContext } from "../context.ts";
import { onlyTenant } from "../tenancy/tenants-store.ts";
import { newestPolicy, type PolicyVersion, policyByDigest, policyVersion } from "./policies-store.ts";

/** Reads witness policies for anybody. */
export class ReadPolicies {
  readonly #database: AnsweringContext["database"];

  constructor({ database }: Pick<AnsweringContext, "database">) {
    this.#database = database;
  }

  /**
   * Resolves to the resolved witness policy as it is hashed (protocol section 6). `digest`: of the witness policy;
   * without one, the newest version of a built-in id is found, and of any id if the deployment has one tenant.
   * `version`: the only version of interest; null for any. Rejects with `policy_not_found`.
   */
  async read(policyId: string, version: number | null, digest: string | null): Promise<WitnessPolicy> {
    const found = await this.#database.read((reader) =>
      digest === null ? byId(reader, policyId, version) : policyByDigest(reader, policyId, digest),
    );
    if (found === null || (version !== null && found.policy.policy_version !== version))
      throw new ServiceError(
        "policy_not_found",
        `No policy ${JSON.stringify(policyId)}${version === null ? "" : ` of version ${version}`} is found. To ` +
          `find a declared one, send the witness_policy_digest of a window or checkpoint too: ?digest=.`,
      );
    return found.witnessPolicy;
  }
}

async function byId(reader: Reader, policyId: string, version: number | null): Promise<PolicyVersion | null> {
  const tenantId = await onlyTenant(reader);
  return version === null
    ? newestPolicy(reader, tenantId, policyId)
    : policyVersion(reader, tenantId, policyId, version);
}
