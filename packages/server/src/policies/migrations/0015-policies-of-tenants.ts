/**
 * A policy id belongs to its tenant: an id of another tenant is free. Two tenants may declare the same document, so a
 * digest may occur twice; it always belongs to one document.
 */
import type { Migration } from "@svc/host/store";

/** Schema version 15. */
export const policiesOfTenants: Migration = {
  version: 15,
  name: "policies of tenants",
  sql: `
ALTER TABLE policies RENAME TO policies_of_deployment;
CREATE TABLE policies (
  policy_id TEXT NOT NULL,
  policy_version BIGINT NOT NULL,
  -- Null for a built-in policy.
  tenant_id TEXT REFERENCES tenants (tenant_id),
  digest TEXT NOT NULL,
  document TEXT NOT NULL,
  explicit BIGINT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE UNIQUE INDEX policies_of_tenant ON policies (policy_id, COALESCE(tenant_id, ''), policy_version);
INSERT INTO policies (policy_id, policy_version, tenant_id, digest, document, explicit, created_at)
  SELECT policy_id, policy_version, tenant_id, digest, document, explicit, created_at FROM policies_of_deployment;
DROP TABLE policies_of_deployment;

ALTER TABLE witness_policies RENAME TO witness_policies_of_deployment;
CREATE TABLE witness_policies (
  policy_id TEXT NOT NULL,
  policy_version BIGINT NOT NULL,
  tenant_id TEXT REFERENCES tenants (tenant_id),
  digest TEXT NOT NULL,
  document TEXT NOT NULL,
  threshold BIGINT NOT NULL,
  explicit BIGINT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE UNIQUE INDEX witness_policies_of_tenant ON witness_policies (policy_id, COALESCE(tenant_id, ''), policy_version);
CREATE INDEX witness_policies_by_digest ON witness_policies (digest);
INSERT INTO witness_policies (policy_id, policy_version, tenant_id, digest, document, threshold, explicit, created_at)
  SELECT policy_id, policy_version, tenant_id, digest, document, threshold, explicit, created_at FROM witness_policies_of_deployment;
DROP TABLE witness_policies_of_deployment;
`,
};
