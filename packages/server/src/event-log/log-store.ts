/**
 * The event log of a system: its streams, and its events by their ids. All SQL about it except that of lists
 * (list-store.ts).
 */
import type { HashHex } from "@svc/core";
import type { Reader } from "@svc/host/store";
import type { EventRow } from "../streams/events-store.ts";
import type { StreamRow } from "../streams/streams-store.ts";

/** A stream of a log. */
export type LogStreamRow = Pick<StreamRow, "stream_id" | "system_id" | "class" | "closed_at" | "head_seq_no"> & {
  readonly event_log_no: number;
};

const SELECT = `SELECT stream_id, system_id, class, closed_at, event_log_no, head_seq_no FROM streams
  WHERE tenant_id || '' = $1 AND system_id = $2 AND event_log_no IS NOT NULL`;

/**
 * Resolves to the streams of a system's log from a number on, in order, `most` at most. A log has several streams if a
 * database had lost events.
 */
export function logStreams(
  reader: Reader,
  { tenantId, systemId }: { readonly tenantId: string; readonly systemId: string },
  fromNo: number,
  most: number,
): Promise<LogStreamRow[]> {
  const sql = `${SELECT} AND event_log_no >= $3 ORDER BY event_log_no LIMIT $4`;
  return reader.all<LogStreamRow>(sql, tenantId, systemId, fromNo, most);
}

/** Resolves to the last stream of a system's log, which takes its events unless it is closed, or null. */
export function newestLogStream(reader: Reader, tenantId: string, systemId: string): Promise<LogStreamRow | null> {
  return reader.first<LogStreamRow>(`${SELECT} ORDER BY event_log_no DESC LIMIT 1`, tenantId, systemId);
}

/** An event of a log without its payload. */
export interface LogRow {
  readonly stream_event_id: string;
  readonly stream_id: string;
  readonly seq_no: number;
  readonly event_type: string;
  /** Null after the erasure of its payload. */
  readonly status: string | null;
  readonly source_ref: string;
  readonly occurred_at: string;
  readonly received_at: string;
  readonly event_hash: HashHex;
}

/** The columns of a LogRow, from the table `e`. */
export const LOG_COLUMNS = [
  "stream_event_id",
  "stream_id",
  "seq_no",
  "event_type",
  "status",
  "source_ref",
  "occurred_at",
  "received_at",
  "event_hash",
]
  .map((column) => `e.${column}`)
  .join(", ");

/**
 * Resolves to an event of this tenant, with class and system of its stream, and the log's number if it is in a log, or
 * null.
 */
export function findLogged(
  reader: Reader,
  tenantId: string,
  eventId: string,
): Promise<
  | (LogRow &
      Pick<StreamRow, "system_id" | "class" | "use_case"> & {
        readonly event_log_no: number | null;
      } & Pick<EventRow, "payload" | "payload_salt" | "payload_hash">)
  | null
> {
  return reader.first(
    `SELECT ${LOG_COLUMNS}, e.payload, e.payload_salt, e.payload_hash, e.event_log_no, s.system_id, s.class, s.use_case
     FROM events e JOIN streams s ON s.stream_id = e.stream_id WHERE e.tenant_id = $1 AND e.stream_event_id = $2`,
    tenantId,
    eventId,
  );
}
