/**
 * On a server, events are in partitions by the hash of their stream: a billion of them would be one index too high to
 * stay in memory, and a server vacuums and moves one partition at a time. References to events, and those of the rows
 * that each append writes, are left to fsck: they would need an index over all partitions, and every append would lock
 * the row of its tenant.
 */
import type { Migration } from "@svc/host/store";

/** The number of partitions; it never changes. Each stream is in one. */
export const PARTITIONS = 32;

const parts = Array.from(
  { length: PARTITIONS },
  (_, no) => `CREATE TABLE events_${no} PARTITION OF events FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${no});`,
);

/** References that are dropped, by table and column. */
const REFERENCES: Readonly<Record<string, readonly string[]>> = {
  erasures: ["stream_event_id", "lifecycle_event_id"],
  exports: ["generated_event_id"],
  export_accesses: ["accessed_event_id"],
  export_verifications: ["verified_event_id"],
  windows: ["tenant_id", "stream_id"],
  checkpoints: ["tenant_id", "stream_id"],
  witness_statements: ["tenant_id", "stream_id", "checkpoint_id"],
  outbox: ["tenant_id"],
  idempotency_records: ["tenant_id"],
};

const dropped = Object.entries(REFERENCES).flatMap(([table, columns]) =>
  columns.map(
    (column) =>
      `ALTER TABLE ${table} DROP CONSTRAINT ${table === "idempotency_records" ? `${table}_${column}_fkey1` : `${table}_${column}_fkey`};`,
  ),
);

/** Schema version 17. */
export const partitions: Migration = {
  version: 17,
  name: "partitions",
  // A file is on one machine, and as large as that can bear.
  sql: "",
  onServer: `
${dropped.join("\n")}
ALTER TABLE events RENAME TO events_of_before;
CREATE TABLE events (LIKE events_of_before INCLUDING DEFAULTS) PARTITION BY HASH (stream_id);
${parts.join("\n")}
INSERT INTO events SELECT * FROM events_of_before;
DROP TABLE events_of_before;
ALTER TABLE events ADD PRIMARY KEY (stream_id, seq_no);
-- Identifiers are random, so that no two streams have one in common; a server can keep them apart within one.
CREATE UNIQUE INDEX events_by_id ON events (stream_event_id, stream_id);
CREATE INDEX events_by_source_ref ON events (stream_id, source_ref, seq_no);
CREATE INDEX events_by_type ON events (stream_id, event_type, seq_no, event_log_no) WHERE event_log_no IS NULL;
CREATE INDEX logged_events_by_type ON events (stream_id, event_type, seq_no, event_log_no) WHERE event_log_no IS NOT NULL;
CREATE INDEX logged_events_by_status ON events (stream_id, status, seq_no, event_log_no) WHERE event_log_no IS NOT NULL;
CREATE INDEX logged_events_by_both ON events (stream_id, event_type, status, seq_no, event_log_no)
  WHERE event_log_no IS NOT NULL;
CREATE INDEX logged_events_by_time ON events (stream_id, (seq_no / 4096), occurred_at_utc, seq_no, event_log_no)
  WHERE event_log_no IS NOT NULL;
-- Each batch and each head writes the row of its stream again: room on its page keeps its indexes untouched.
ALTER TABLE streams SET (fillfactor = 50);
`,
};
