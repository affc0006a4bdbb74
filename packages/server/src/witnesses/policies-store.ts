/**
 * Policies and resolved witness policies by id and version (protocol section 6): all SQL about them. An old version stays readable.
 */
import type { HashHex, JsonObject, Policy, WitnessPolicy } from "@svc/core";
import { expectMoved, type Reader, type Writer } from "../store/database.ts";

/** A version of both policies of one id, with the digests by which windows name them. */
export interface PolicyVersion {
  /** The tenant whose id it is; null for a built-in policy. */
  readonly tenantId: string | null;
  readonly policy: Policy;
  readonly policyDigest: HashHex;
  readonly witnessPolicy: WitnessPolicy;
  readonly witnessPolicyDigest: HashHex;
  /** Whether somebody declared the witness policy; false for a built-in or resolved one. */
  readonly explicit: boolean;
}

interface Row {
  readonly tenant_id: string | null;
  readonly policy: string;
  readonly policy_digest: HashHex;
  readonly witness_policy: string;
  readonly witness_policy_digest: HashHex;
  readonly explicit: number;
}

const SELECT = `
  SELECT p.tenant_id, p.document AS policy, p.digest AS policy_digest,
         w.document AS witness_policy, w.digest AS witness_policy_digest, w.explicit
  FROM policies p JOIN witness_policies w ON w.policy_id = p.policy_id AND w.policy_version = p.policy_version`;

/** Stores a version. Throws WriteConflict where another writer has stored it meanwhile. */
export async function insertPolicyVersion(writer: Writer, version: PolicyVersion, now: string): Promise<void> {
  const { tenantId, policy, witnessPolicy } = version;
  const inserted = await writer.run(
    `INSERT INTO policies (policy_id, policy_version, tenant_id, digest, document, explicit, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
    policy.policy_id,
    policy.policy_version,
    tenantId,
    version.policyDigest,
    JSON.stringify(policy),
    Number(version.explicit),
    now,
  );
  expectMoved(inserted, `the policy ${policy.policy_id}`);
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

/** The version whose resolved witness policy has a digest; null where there is none. */
export async function policyOfWitnessDigest(reader: Reader, digest: string): Promise<PolicyVersion | null> {
  const row = await reader.first<Row>(`${SELECT} WHERE w.digest = $1`, digest);
  return row === null ? null : fromRow(row);
}

/** Every version of a policy, ascending. */
export async function policyVersions(reader: Reader, policyId: string): Promise<PolicyVersion[]> {
  const rows = await reader.all<Row>(`${SELECT} WHERE p.policy_id = $1 ORDER BY p.policy_version`, policyId);
  return rows.map(fromRow);
}

/** The newest version of every policy of the deployment, by id: for the operator's own commands, never for a route. */
export async function newestPolicies(reader: Reader): Promise<PolicyVersion[]> {
  const rows = await reader.all<Row>(
    `${SELECT} WHERE p.policy_version = (SELECT MAX(n.policy_version) FROM policies n WHERE n.policy_id = p.policy_id)
     ORDER BY p.policy_id`,
  );
  return rows.map(fromRow);
}

function fromRow(row: Row): PolicyVersion {
  return {
    tenantId: row.tenant_id,
    policy: JSON.parse(row.policy) as Policy & JsonObject,
    policyDigest: row.policy_digest,
    witnessPolicy: JSON.parse(row.witness_policy) as WitnessPolicy,
    witnessPolicyDigest: row.witness_policy_digest,
    explicit: row.explicit === 1,
  };
}
