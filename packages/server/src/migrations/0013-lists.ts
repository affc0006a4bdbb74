/**
 * Gives an index to every filter of a list, and to every query that jobs and limits repeat: none reads a table from its
 * beginning.
 */
import type { Migration } from "@svc/host/store";

/** Schema version 13. */
export const lists: Migration = {
  version: 13,
  name: "lists",
  sql: `
-- Only of events that are in no log: those of logs have logged_events_by_type, and an append pays for one index by type, not for two.
-- With event_log_no, so that the condition is answered without a look at the rows.
CREATE INDEX events_by_type ON events (stream_id, event_type, seq_no, event_log_no) WHERE event_log_no IS NULL;

-- Streams are listed by system; the lifecycle streams of a tenant are those without one.
CREATE INDEX streams_of_system ON streams (tenant_id, system_id, stream_id);
CREATE INDEX streams_by_use_case ON streams (tenant_id, system_id, use_case, stream_id);
CREATE INDEX streams_by_class ON streams (tenant_id, system_id, class, stream_id);
DROP INDEX streams_of_tenant;

CREATE INDEX exports_by_state ON exports (tenant_id, actor_id, state, export_id);
-- How many a tenant keeps is counted with each new one, however many were deleted before.
CREATE INDEX exports_kept ON exports (tenant_id, state, actor_id) WHERE state IN ('queued', 'building', 'ready');
-- With the state, so that those that wait are counted without a look at their rows.
DROP INDEX exports_at_work;
CREATE INDEX exports_at_work ON exports (export_id, state) WHERE state IN ('queued', 'building');

-- In the order in which the sealer goes on from one portion to the next.
DROP INDEX streams_awaiting_window;
CREATE INDEX streams_awaiting_window ON streams (unwindowed_since, stream_id) WHERE unwindowed_since IS NOT NULL;

-- In the order in which the operator reads it.
DROP INDEX access_log_of_tenant;
DROP INDEX access_log_of_object;
CREATE INDEX access_log_by_time ON access_log (at, access_id);
CREATE INDEX access_log_of_tenant ON access_log (tenant_id, at, access_id);
CREATE INDEX access_log_of_object ON access_log (object_id, at, access_id);
CREATE INDEX access_log_by_action ON access_log (action, at, access_id);
`,
};
