/** The event log: the default stream of each system, and the indexes for its events. */
import type { Migration } from "@svc/host/store";

/** Schema version 9. */
export const eventLog: Migration = {
  version: 9,
  name: "event log",
  sql: `
-- Which event log of its system the stream is, from 1; null for a stream that is none. The newest takes events, those before it are closed.
ALTER TABLE streams ADD COLUMN event_log_no BIGINT;
CREATE UNIQUE INDEX event_logs_of_system ON streams (system_id, event_log_no) WHERE event_log_no IS NOT NULL;

-- That of the event's stream, so that the indexes below hold the events of logs and cost no others anything.
ALTER TABLE events ADD COLUMN event_log_no BIGINT;
-- The status in the payload of an event of a log; gone when the payload is.
ALTER TABLE events ADD COLUMN status TEXT;
-- With event_log_no, so that events are counted without a look at their rows.
CREATE INDEX logged_events_by_type ON events (stream_id, event_type, seq_no, event_log_no) WHERE event_log_no IS NOT NULL;
CREATE INDEX logged_events_by_status ON events (stream_id, status, seq_no, event_log_no) WHERE event_log_no IS NOT NULL;
CREATE INDEX logged_events_by_both ON events (stream_id, event_type, status, seq_no, event_log_no)
  WHERE event_log_no IS NOT NULL;
-- By stretches of 4096 events, since times and numbers need not have one order.
CREATE INDEX logged_events_by_time ON events (stream_id, (seq_no / 4096), occurred_at_utc, seq_no, event_log_no)
  WHERE event_log_no IS NOT NULL;

-- In the order of lists, which else would be read from their beginning.
DROP INDEX events_by_source_ref;
CREATE INDEX events_by_source_ref ON events (stream_id, source_ref, seq_no);

-- The first checkpoint over an event, which every proof of one event begins with.
CREATE INDEX checkpoints_by_end ON checkpoints (stream_id, to_seq_no);
`,
};
