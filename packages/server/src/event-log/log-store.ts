/** The event log of a system: the streams that it is, and its events as they are found. All SQL about it. */
import type { HashHex } from "@svc/core";
import type { Reader } from "../store/database.ts";
import type { StreamRow } from "../streams/streams-store.ts";

/** A stream of a log. */
export type LogStreamRow = Pick<StreamRow, "stream_id" | "system_id" | "class" | "closed_at"> & {
  readonly event_log_no: number;
};

/** The streams of a system's log, in order. More than one, where a database had lost events: the last one takes events, unless it is closed. */
export function logStreams(reader: Reader, tenantId: string, systemId: string): Promise<LogStreamRow[]> {
  return reader.all<LogStreamRow>(
    `SELECT stream_id, system_id, class, closed_at, event_log_no FROM streams
     WHERE tenant_id = $1 AND system_id = $2 AND event_log_no IS NOT NULL ORDER BY event_log_no`,
    tenantId,
    systemId,
  );
}

/** An event of a log without its payload. */
export interface LogRow {
  readonly stream_event_id: string;
  readonly stream_id: string;
  readonly seq_no: number;
  readonly event_type: string;
  /** Null where it has been erased. */
  readonly status: string | null;
  readonly source_ref: string;
  readonly occurred_at: string;
  readonly received_at: string;
  readonly event_hash: HashHex;
}

const COLUMNS = [
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

/** An event of this tenant, with class and system of its stream, and its log's number where it is of a log. */
export function findLogged(
  reader: Reader,
  tenantId: string,
  eventId: string,
): Promise<
  | (LogRow &
      Pick<StreamRow, "system_id" | "class"> & {
        readonly event_log_no: number | null;
        /** J(payload), the hashed one; null where it has been erased. */
        readonly payload: string | null;
      })
  | null
> {
  return reader.first(
    `SELECT ${COLUMNS}, e.payload, e.event_log_no, s.system_id, s.class
     FROM events e JOIN streams s ON s.stream_id = e.stream_id WHERE e.tenant_id = $1 AND e.stream_event_id = $2`,
    tenantId,
    eventId,
  );
}

/** What a list of events is narrowed to; null for any. Times are normalized (clock.ts). */
export interface LogFilter {
  readonly type: string | null;
  readonly status: string | null;
  readonly sourceRef: string | null;
  /** At this time or later. */
  readonly occurredFrom: string | null;
  /** Earlier than this time. */
  readonly occurredBefore: string | null;
}

/** At most so many events of this tenant's log stream behind a number, in order. */
export async function loggedAfter(
  reader: Reader,
  tenantId: string,
  streamId: string,
  { type, status, sourceRef, occurredFrom, occurredBefore }: LogFilter,
  { afterSeqNo, most }: { readonly afterSeqNo: number; readonly most: number },
): Promise<LogRow[]> {
  const isOfTime = occurredFrom !== null || occurredBefore !== null;
  const within = { afterSeqNo, from: occurredFrom ?? EARLIEST, before: occurredBefore ?? LATEST };
  // Few events have one reference. All others are found within the stretch of the log that holds the time.
  const found = isOfTime && sourceRef === null ? await stretch(reader, streamId, within) : null;
  if (found?.first === null) return [];
  const parameters: (string | number)[] = [tenantId, streamId, found === null ? afterSeqNo : found.first - 1, most];
  const where = (condition: string, value: string | number | null) =>
    value === null ? "" : `AND ${condition} $${parameters.push(value)}`;
  // Without statistics no database knows that a reference says more than a type or a status: their indexes are kept out of its choice.
  const asColumn = (name: string) => (sourceRef === null ? `e.${name}` : `e.${name} || ''`);
  return reader.all<LogRow>(
    `SELECT ${COLUMNS} FROM events e
     WHERE e.tenant_id = $1 AND e.stream_id = $2 AND e.event_log_no IS NOT NULL AND e.seq_no > $3
       ${where("e.seq_no <=", found === null ? null : found.last)}
       ${where("e.source_ref =", sourceRef)}
       ${where(`${asColumn("event_type")} =`, type)}
       ${where(`${asColumn("status")} =`, status)}
       ${where("e.occurred_at_utc >=", occurredFrom)}
       ${where("e.occurred_at_utc <", occurredBefore)}
     ORDER BY e.seq_no LIMIT $4`,
    ...parameters,
  );
}

/** Before and after every normalized time. */
const [EARLIEST, LATEST] = ["", "~"];

/** The first and the last number behind a number of what occurred in a time; nulls where nothing did. Reads an index only. */
async function stretch(
  reader: Reader,
  streamId: string,
  { afterSeqNo, from, before }: { readonly afterSeqNo: number; readonly from: string; readonly before: string },
) {
  const row = await reader.first<{ first: number; last: number } | { first: null; last: null }>(
    `SELECT MIN(seq_no) AS first, MAX(seq_no) AS last FROM events
     WHERE stream_id = $1 AND event_log_no IS NOT NULL AND seq_no > $2 AND occurred_at_utc >= $3 AND occurred_at_utc < $4`,
    streamId,
    afterSeqNo,
    from,
    before,
  );
  return row ?? { first: null, last: null };
}
