/**
 * An Idempotency-Key is found by the hash of its scope, in an index a fifth as large: its entries have no order, and
 * each write touches a page of it. The key itself, which may tell the sender's intention, is no longer stored.
 */

import type { Migration, Writer } from "@svc/host/store";
import { type IdempotencyScope, scopeHash } from "../scope.ts";

const PORTION = 1000;

/** Schema version 7. */
export const requestScopes: Migration = {
  version: 7,
  name: "request scopes",
  sql: `
ALTER TABLE idempotency_records RENAME TO idempotency_records_by_key;
DROP INDEX idempotency_records_by_age;
DROP INDEX idempotency_records_of_events;

CREATE TABLE idempotency_records (
  record_no INTEGER PRIMARY KEY,
  -- Tells tenant, principal, route and key from all others.
  scope_hash TEXT NOT NULL UNIQUE,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  route TEXT NOT NULL,
  request_mac TEXT NOT NULL,
  stream_id TEXT NOT NULL,
  from_seq_no BIGINT NOT NULL,
  to_seq_no BIGINT NOT NULL,
  -- JSON: what the answer is made from, where events alone do not say it. Never a payload: erasure could not reach it here.
  result TEXT,
  created_at TEXT NOT NULL
);
CREATE INDEX idempotency_records_by_age ON idempotency_records (created_at);
-- Erasure finds the request that made an event.
CREATE INDEX idempotency_records_of_events ON idempotency_records (stream_id, to_seq_no) WHERE to_seq_no > 0;
`,
  rewrite: async (writer) => {
    while ((await move(writer)) > 0);
    await writer.script("DROP TABLE idempotency_records_by_key");
  },
};

interface OldRow {
  readonly tenant_id: string;
  readonly principal_id: string;
  readonly route: string;
  readonly idempotency_key: string;
}

/** Moves the oldest records. Resolves to their number. */
async function move(writer: Writer): Promise<number> {
  const rows = await writer.all<OldRow>(
    `SELECT tenant_id, principal_id, route, idempotency_key FROM idempotency_records_by_key ORDER BY created_at LIMIT ${PORTION}`,
  );
  for (const { tenant_id, principal_id, route, idempotency_key } of rows) {
    const scope: IdempotencyScope = { tenantId: tenant_id, principalId: principal_id, route, key: idempotency_key };
    const found = "tenant_id = $1 AND principal_id = $2 AND route = $3 AND idempotency_key = $4";
    const names = [tenant_id, principal_id, route, idempotency_key];
    await writer.run(
      `INSERT INTO idempotency_records (scope_hash, tenant_id, route, request_mac, stream_id, from_seq_no, to_seq_no, result, created_at)
       SELECT $5, tenant_id, route, request_mac, stream_id, from_seq_no, to_seq_no, result, created_at
       FROM idempotency_records_by_key WHERE ${found}`,
      ...names,
      scopeHash(scope),
    );
    await writer.run(`DELETE FROM idempotency_records_by_key WHERE ${found}`, ...names);
  }
  return rows.length;
}
