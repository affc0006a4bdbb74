/**
 * Outside witnesses: a witness policy says what becomes of packs without their cosignatures, and an outbox message may
 * belong to no tenant, as one about the log of the whole service does.
 */
import type { Migration } from "@svc/host/store";

const UNMET = "ALTER TABLE witness_policies ADD COLUMN when_unmet TEXT NOT NULL DEFAULT 'closed';";

/** Schema version 22. */
export const outsideWitnesses: Migration = {
  version: 22,
  name: "outside witnesses",
  sql: `
${UNMET}
ALTER TABLE outbox RENAME TO outbox_of_tenants;
CREATE TABLE outbox (
  outbox_id TEXT PRIMARY KEY,
  -- Null for a message about the whole service.
  tenant_id TEXT REFERENCES tenants (tenant_id),
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  payload TEXT NOT NULL,
  created_at TEXT NOT NULL,
  attempts BIGINT NOT NULL,
  next_attempt_at TEXT NOT NULL,
  -- Who is sending a message that leaves the machine, and until when nobody else may.
  lease_owner TEXT,
  lease_until TEXT,
  done_at TEXT,
  last_error TEXT,
  -- The stream in whose shard the message is dispatched; null for a message about no stream.
  stream_id TEXT,
  UNIQUE (kind, subject)
);
INSERT INTO outbox (outbox_id, tenant_id, kind, subject, payload, created_at, attempts, next_attempt_at, lease_owner,
  lease_until, done_at, last_error, stream_id)
  SELECT outbox_id, tenant_id, kind, subject, payload, created_at, attempts, next_attempt_at, lease_owner, lease_until,
    done_at, last_error, stream_id FROM outbox_of_tenants;
DROP TABLE outbox_of_tenants;
CREATE INDEX outbox_due ON outbox (kind, next_attempt_at) WHERE done_at IS NULL;
`,
  onServer: `
${UNMET}
ALTER TABLE outbox ALTER COLUMN tenant_id DROP NOT NULL;
`,
};
