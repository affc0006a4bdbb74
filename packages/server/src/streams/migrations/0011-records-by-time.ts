/**
 * The request that made an event is found by the time that both share. The index for it is dropped, because every
 * append had to write a page of it.
 */
import type { Migration } from "@svc/host/store";

/** Schema version 11. */
export const recordsByTime: Migration = {
  version: 11,
  name: "records by time",
  sql: `
UPDATE idempotency_records SET created_at = events.received_at FROM events
  WHERE to_seq_no > 0 AND events.stream_id = idempotency_records.stream_id AND events.seq_no = from_seq_no AND created_at <> events.received_at;
DROP INDEX idempotency_records_of_events;
`,
};
