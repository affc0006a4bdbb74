/**
 * Policies and resolved witness policies by tenant, id and version (protocol section 6): all SQL about them. An old
 * version stays readable. An id means the policy that its tenant has declared, or else the built-in one; evidence names
 * both documents by their digests, which tell whose they are.
 */
import type { HashHex, JsonObject, Policy, WitnessPolicy } from "@svc/core";
import { expectMoved, type Reader, rowsOf, type Writer, written } from "@svc/host/store";

/** The treatment of packs whose last checkpoint lacks cosignatures; verifiers do not see it. */
export type WhenUnmet = "closed" | "open";

/** A version of both policies of one id, with the digests by which windows name them. */
export interface PolicyVersion {
  /** The tenant that owns the id; null for a built-in policy. */
  readonly tenantId: string | null;
  readonly policy: Policy;
  readonly policyDigest: HashHex;
  readonly witnessPolicy: WitnessPolicy;
  readonly witnessPolicyDigest: HashHex;
  /** Whether packs wait for the cosignatures that the witness policy asks for, or are given without them. */
  readonly whenUnmet: WhenUnmet;
  /** Whether somebody declared the witness policy; false for a built-in or resolved one. */
  readonly explicit: boolean;
}

/** The id of a policy, and the tenant for which it means one; null for built-in policies only. */
export interface PolicyName {
  readonly tenantId: string | null;
  readonly policyId: string;
}

interface Row {
  readonly policy_id: string;
  readonly tenant_id: string | null;
  readonly policy: string;
  readonly policy_digest: HashHex;
  readonly witness_policy: string;
  readonly witness_policy_digest: HashHex;
  readonly when_unmet: WhenUnmet;
  readonly explicit: number;
}

const COLUMNS = `p.policy_id, p.tenant_id, p.document AS policy, p.digest AS policy_digest,
  w.document AS witness_policy, w.digest AS witness_policy_digest, w.when_unmet, w.explicit`;
const JOINED = `JOIN witness_policies w ON w.policy_id = p.policy_id AND w.policy_version = p.policy_version
  AND COALESCE(w.tenant_id, '') = COALESCE(p.tenant_id, '')`;
const SELECT = `SELECT ${COLUMNS} FROM policies p ${JOINED}`;

/** Returns the number of the newest version of a policy in SQL, by the columns with its id and its tenant. */
function newestVersion(policyId: string, tenantId: string): string {
  return `(SELECT MAX(n.policy_version) FROM policies n
    WHERE n.policy_id = ${policyId} AND COALESCE(n.tenant_id, '') = COALESCE(${tenantId}, ''))`;
}

/** Selects the policies that the id $1 means for the tenant $2: its own if it has any, otherwise the built-in ones. */
const MEANT = `
  p.policy_id = $1 AND COALESCE(p.tenant_id, '') = (SELECT MAX(COALESCE(o.tenant_id, '')) FROM policies o
    WHERE o.policy_id = $1 AND COALESCE(o.tenant_id, '') IN ($2, ''))`;

/** Stores a version. Rejects with WriteConflict if another writer has stored it meanwhile. */
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
    `INSERT INTO witness_policies (policy_id, policy_version, tenant_id, digest, document, threshold, when_unmet, explicit,
       created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    witnessPolicy.policy_id,
    witnessPolicy.policy_version,
    tenantId,
    version.witnessPolicyDigest,
    JSON.stringify(witnessPolicy),
    witnessPolicy.threshold,
    version.whenUnmet,
    Number(version.explicit),
    now,
  );
}

/**
 * Resolves to the newest version of the policy that an id means for a tenant; null if it means none. `tenantId`: null
 * for built-in policies only.
 */
export async function newestPolicy(
  reader: Reader,
  tenantId: string | null,
  policyId: string,
): Promise<PolicyVersion | null> {
  const [policy] = await newestPoliciesOf(reader, [{ tenantId, policyId }]);
  return policy ?? null;
}

/** Resolves to the newest versions of several policies, in their order, each as `newestPolicy` does. */
export async function newestPoliciesOf(
  reader: Reader,
  names: readonly PolicyName[],
): Promise<(PolicyVersion | null)[]> {
  if (names.length === 0) return [];
  const own = names.map(({ tenantId, policyId }) => [policyId, tenantId ?? ""] as const);
  const asked = new Map([...own, ...own.map(([id]) => [id, ""] as const)].map((place) => [place.join(" "), place]));
  const { sql, values } = written(
    (place) =>
      // Without COALESCE around the column of the list, SQLite compares in a way for which the index is of no use.
      `SELECT ${COLUMNS} FROM ${rowsOf(["TEXT", "TEXT"], [...asked.values()])(place)} AS v
       JOIN policies p ON p.policy_id = v.column1 AND COALESCE(p.tenant_id, '') = COALESCE(v.column2, '')
         AND p.policy_version = ${newestVersion("v.column1", "v.column2")}
       ${JOINED}`,
  );
  const rows = await reader.all<Row>(sql, ...values);
  const found = new Map(rows.map((row) => [`${row.policy_id} ${row.tenant_id ?? ""}`, row]));
  const known = new Map([...found].map(([name, row]) => [name, fromRow(row)]));
  return own.map(([id, tenantId]) => known.get(`${id} ${tenantId}`) ?? known.get(`${id} `) ?? null);
}

/** Resolves to a version of the policy that an id means for a tenant, or null. */
export async function policyVersion(
  reader: Reader,
  tenantId: string | null,
  policyId: string,
  version: number,
): Promise<PolicyVersion | null> {
  const sql = `${SELECT} WHERE ${MEANT} AND p.policy_version = $3`;
  const row = await reader.first<Row>(sql, policyId, tenantId ?? "", version);
  return row === null ? null : fromRow(row);
}

/** Resolves to every version of the policy that an id means for a tenant, ascending. */
export async function policyVersions(reader: Reader, tenantId: string, policyId: string): Promise<PolicyVersion[]> {
  const rows = await reader.all<Row>(`${SELECT} WHERE ${MEANT} ORDER BY p.policy_version`, policyId, tenantId);
  return rows.map(fromRow);
}

/**
 * Resolves to the policy whose witness policy has a digest, or null. Several tenants may have declared the same
 * document.
 */
export async function policyByDigest(reader: Reader, policyId: string, digest: string): Promise<PolicyVersion | null> {
  const row = await reader.first<Row>(`${SELECT} WHERE w.digest = $1 AND w.policy_id = $2 LIMIT 1`, digest, policyId);
  return row === null ? null : fromRow(row);
}

/**
 * Resolves to the tenants that have declared an id, or whose streams named it. The operator's own commands may call
 * this, but never a route.
 */
export async function tenantsWithPolicy(reader: Reader, policyId: string): Promise<string[]> {
  const rows = await reader.all<{ tenant_id: string }>(
    "SELECT DISTINCT tenant_id FROM policies WHERE policy_id = $1 AND tenant_id IS NOT NULL ORDER BY tenant_id",
    policyId,
  );
  return rows.map(({ tenant_id }) => tenant_id);
}

/**
 * Resolves to the newest version of every policy of every tenant, by id. The operator's own commands may call this, but
 * never a route.
 */
export async function newestPolicies(reader: Reader): Promise<PolicyVersion[]> {
  const rows = await reader.all<Row>(
    `${SELECT} WHERE p.policy_version = ${newestVersion("p.policy_id", "p.tenant_id")} ORDER BY p.policy_id, ` +
      `COALESCE(p.tenant_id, '')`,
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
    whenUnmet: row.when_unmet,
    explicit: row.explicit === 1,
  };
}
