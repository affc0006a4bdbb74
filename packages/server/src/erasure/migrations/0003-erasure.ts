/** Erasure: the erased payloads, and the one lifecycle stream of a tenant that records them. */
import type { Migration } from "@svc/host/store";

/** Schema version 3. */
export const erasure: Migration = {
  version: 3,
  name: "erasure",
  sql: `
-- Events whose payload and salt have been erased, each with the event of the lifecycle stream that records it.
CREATE TABLE erasures (
  stream_event_id TEXT PRIMARY KEY REFERENCES events (stream_event_id),
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  lifecycle_event_id TEXT NOT NULL REFERENCES events (stream_event_id),
  erased_at TEXT NOT NULL,
  -- When the database's own files had forgotten it too; null until then.
  files_cleared_at TEXT
);
CREATE INDEX erasures_awaiting_files ON erasures (erased_at) WHERE files_cleared_at IS NULL;

CREATE UNIQUE INDEX lifecycle_stream_of_tenant ON streams (tenant_id) WHERE class = 'lifecycle';

-- Erasure finds the request that made an event.
CREATE INDEX idempotency_records_of_events ON idempotency_records (stream_id, to_seq_no) WHERE to_seq_no > 0;
`,
};
