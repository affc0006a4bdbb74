/** What anybody may read of a policy: its numbers and keys, never who declared it. */
import type { WitnessPolicy } from "@svc/core";
import { ServiceError } from "../errors.ts";
import type { Foundation } from "../foundation.ts";
import { newestPolicy, policyVersion } from "./policies-store.ts";

export class ReadPolicies {
  readonly #database: Foundation["database"];

  constructor({ database }: Pick<Foundation, "database">) {
    this.#database = database;
  }

  /** The resolved witness policy as it is hashed (protocol section 6); the newest version where none is asked for. */
  async read(policyId: string, version: number | null): Promise<WitnessPolicy> {
    const found = await this.#database.read((reader) =>
      version === null ? newestPolicy(reader, policyId) : policyVersion(reader, policyId, version),
    );
    if (found === null)
      throw new ServiceError(
        "policy_not_found",
        `There is no policy ${JSON.stringify(policyId)}${version === null ? "" : ` of version ${version}`}.`,
      );
    return found.witnessPolicy;
  }
}
