/** The request that made an event is found by the time that both have, and no longer by an index of which every append wrote a page. */
import type { Migration } from "@svc/host/store";

export const recordsByTime: Migration = {
  version: 11,
  name: "records by time",
  sql: `
UPDATE idempotency_records SET created_at = events.received_at FROM events
  WHERE to_seq_no > 0 AND events.stream_id = idempotency_records.stream_id AND events.seq_no = from_seq_no AND created_at <> events.received_at;
DROP INDEX idempotency_records_of_events;
`,
};
