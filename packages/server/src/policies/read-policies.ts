/**
 * What anybody may read of a policy: its numbers and keys, never who declared it. An id is a tenant's own, and several may have it, so that it takes
 * the digest that windows and checkpoints name to find one; nobody learns from an id alone what other tenants have.
 */
import type { WitnessPolicy } from "@svc/core";
import { ServiceError } from "@svc/host/errors";
import type { Reader } from "@svc/host/store";
import type { Context } from "../context.ts";
import { onlyTenant } from "../tenancy/tenants-store.ts";
import { newestPolicy, type PolicyVersion, policyByDigest, policyVersion } from "./policies-store.ts";

export class ReadPolicies {
  readonly #database: Context["database"];

  constructor({ database }: Pick<Context, "database">) {
    this.#database = database;
  }

  /**
   * The resolved witness policy as it is hashed (protocol section 6): the one with a digest; or, where none is asked for, the newest version of a
   * built-in id, and of any id where the deployment has one tenant. Of `version` alone where that is asked for.
   */
  async read(policyId: string, version: number | null, digest: string | null): Promise<WitnessPolicy> {
    const found = await this.#database.read((reader) =>
      digest === null ? byId(reader, policyId, version) : policyByDigest(reader, policyId, digest),
    );
    if (found === null || (version !== null && found.policy.policy_version !== version))
      throw new ServiceError(
        "policy_not_found",
        `No policy ${JSON.stringify(policyId)}${version === null ? "" : ` of version ${version}`} is found. To find a declared one, send the witness_policy_digest of a window or checkpoint too: ?digest=.`,
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
