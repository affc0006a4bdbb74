/**
 * Policies and resolved witness policies by id and version (protocol section 6): all SQL about them. An old version stays readable.
 */
import type { HashHex, JsonObject, Policy, WitnessPolicy } from "@svc/core";
import type { Reader, Writer } from "../store/database.ts";

/** A version of both policies of one id, with the digests by which windows name them. */
export interface PolicyVersion {
  readonly policy: Policy;
  readonly policyDigest: HashHex;
  readonly witnessPolicy: WitnessPolicy;
  readonly witnessPolicyDigest: HashHex;
  /** Whether somebody declared the witness policy; false for a built-in or resolved one. */
  readonly explicit: boolean;
}

interface Row {
  readonly policy: string;
  readonly policy_digest: HashHex;
  readonly witness_policy: string;
  readonly witness_policy_digest: HashHex;
  readonly explicit: number;
}

const SELECT = `
  SELECT p.document AS policy, p.digest AS policy_digest,
         w.document AS witness_policy, w.digest AS witness_policy_digest, w.explicit
  FROM policies p JOIN witness_policies w ON w.policy_id = p.policy_id AND w.policy_version = p.policy_version`;

/** Stores a version. `tenantId` is null for a built-in policy. */
export async function insertPolicyVersion(
  writer: Writer,
  tenantId: string | null,
  version: PolicyVersion,
  now: string,
): Promise<void> {
  const { policy, witnessPolicy } = version;
  await writer.run(
    `INSERT INTO policies (policy_id, policy_version, tenant_id, digest, document, explicit, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    policy.policy_id,
    policy.policy_version,
    tenantId,
    version.policyDigest,
    JSON.stringify(policy),
    Number(version.explicit),
    now,
  );
  await writer.run(
    `INSERT INTO witness_policies (policy_id, policy_version, tenant_id, digest, document, threshold, explicit, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    witnessPolicy.policy_id,
    witnessPolicy.policy_version,
    tenantId,
    version.witnessPolicyDigest,
    JSON.stringify(witnessPolicy),
    witnessPolicy.threshold,
    Number(version.explicit),
    now,
  );
}

/** The newest version of a policy; null where nobody has declared the id. */
export async function newestPolicy(reader: Reader, policyId: string): Promise<PolicyVersion | null> {
  const row = await reader.first<Row>(
    `${SELECT} WHERE p.policy_id = $1 ORDER BY p.policy_version DESC LIMIT 1`,
    policyId,
  );
  return row === null ? null : fromRow(row);
}

export async function policyVersion(reader: Reader, policyId: string, version: number): Promise<PolicyVersion | null> {
  const row = await reader.first<Row>(`${SELECT} WHERE p.policy_id = $1 AND p.policy_version = $2`, policyId, version);
  return row === null ? null : fromRow(row);
}

/** Every version of a policy, ascending. */
export async function policyVersions(reader: Reader, policyId: string): Promise<PolicyVersion[]> {
  const rows = await reader.all<Row>(`${SELECT} WHERE p.policy_id = $1 ORDER BY p.policy_version`, policyId);
  return rows.map(fromRow);
}

function fromRow(row: Row): PolicyVersion {
  return {
    policy: JSON.parse(row.policy) as Policy & JsonObject,
    policyDigest: row.policy_digest,
    witnessPolicy: JSON.parse(row.witness_policy) as WitnessPolicy,
    witnessPolicyDigest: row.witness_policy_digest,
    explicit: row.explicit === 1,
  };
}
