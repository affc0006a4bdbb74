/**
 * The events of a log as lists find them, each list by an index that leads to little more than what it shows: all SQL about it. Databases
 * choose indexes by statistics, and an embedded one has none: so which one serves is decided here.
 */
import type { Reader } from "../store/database.ts";
import { LOG_COLUMNS, type LogRow } from "./log-store.ts";

/** What a list is narrowed to; null for any. Times are normalized (clock.ts). */
export interface LogFilter {
  readonly type: string | null;
  readonly status: string | null;
  readonly sourceRef: string | null;
  /** At this time or later. */
  readonly occurredFrom: string | null;
  /** Earlier than this time. */
  readonly occurredBefore: string | null;
}

/** The part of a list that is read: at most so many events behind a number of a stream. */
interface Part {
  readonly tenantId: string;
  readonly streamId: string;
  readonly afterSeqNo: number;
  readonly most: number;
}

/** So many events of a type or a status are looked through for a time; where there are more, the time leads to them. */
const FEW = 20_000;
/** Before and after every normalized time. */
const [EARLIEST, LATEST] = ["", "~"];
/** How many numbers are a stretch, and that of an event as the index by time has it. */
const STRETCH = 4096;
const STRETCH_OF_EVENT = `(e.seq_no / ${STRETCH})`;
const LOGGED = "e.stream_id = $1 AND e.event_log_no IS NOT NULL";

/** At most so many events of this tenant's log stream behind a number, in order. `few`: up to how many a type or a status leads the way. */
export async function loggedAfter(reader: Reader, filter: LogFilter, part: Part, few = FEW): Promise<LogRow[]> {
  const isOfTime = filter.occurredFrom !== null || filter.occurredBefore !== null;
  const isLedByTime = isOfTime && filter.sourceRef === null && !(await areFew(reader, filter, part, few));
  if (!isLedByTime) return read(reader, filter, part);
  const { streamId, afterSeqNo, most } = part;
  const found: LogRow[] = [];
  for (let from = Math.floor((afterSeqNo + 1) / STRETCH); found.length < most; ) {
    const stretch = await nextStretch(reader, filter, streamId, from);
    if (stretch === null) break;
    found.push(...(await read(reader, filter, { ...part, most: most - found.length }, stretch)));
    from = stretch + 1;
  }
  return found;
}

/** The events of a part; with `stretch` those of one stretch only. */
function read(
  reader: Reader,
  { type, status, sourceRef, occurredFrom, occurredBefore }: LogFilter,
  { tenantId, streamId, afterSeqNo, most }: Part,
  stretch: number | null = null,
): Promise<LogRow[]> {
  const parameters: (string | number)[] = [streamId, tenantId, most];
  const place = (value: string | number) => `$${parameters.push(value)}`;
  const where = (condition: string, value: string | number | null) =>
    value === null ? "" : `AND ${condition} ${place(value)}`;
  // Few events have one reference, and few of a stretch one time: other indexes are kept out of the choice.
  const isLed = sourceRef !== null || stretch !== null;
  const asText = (column: string) => (isLed ? `e.${column} || ''` : `e.${column}`);
  const seqNo = stretch === null ? "e.seq_no" : "e.seq_no + 0";
  return reader.all<LogRow>(
    `SELECT ${LOG_COLUMNS} FROM events e WHERE ${LOGGED} AND e.tenant_id = $2 AND ${seqNo} > ${place(afterSeqNo)}
       ${where(`${STRETCH_OF_EVENT} =`, stretch)}
       ${where("e.source_ref =", sourceRef)}
       ${where(`${asText("event_type")} =`, type)}
       ${where(`${asText("status")} =`, status)}
       ${where("e.occurred_at_utc >=", occurredFrom)}
       ${where("e.occurred_at_utc <", occurredBefore)}
     ORDER BY e.seq_no LIMIT $3`,
    ...parameters,
  );
}

/** Whether at most so many events have the type or the status, where one is asked for. */
async function areFew(
  reader: Reader,
  { type, status }: LogFilter,
  { streamId, afterSeqNo }: Part,
  few: number,
): Promise<boolean> {
  if (type === null && status === null) return false;
  const parameters: (string | number)[] = [streamId, afterSeqNo, few + 1];
  const where = (column: string, value: string | null) =>
    value === null ? "" : `AND e.${column} = $${parameters.push(value)}`;
  const row = await reader.first<{ readonly events: number }>(
    `SELECT COUNT(*) AS events FROM (SELECT e.seq_no FROM events e
       WHERE ${LOGGED} AND e.seq_no > $2 ${where("event_type", type)} ${where("status", status)} LIMIT $3) counted`,
    ...parameters,
  );
  return (row?.events ?? 0) <= few;
}

/** The first stretch from this one on that holds an event of the time; null where none does. One look at the index for each stretch. */
async function nextStretch(
  reader: Reader,
  { occurredFrom, occurredBefore }: LogFilter,
  streamId: string,
  from: number,
): Promise<number | null> {
  const row = await reader.first<{ readonly stretch: number }>(
    `WITH RECURSIVE stretches (stretch, last) AS (
       SELECT $2, head_seq_no / ${STRETCH} FROM streams WHERE stream_id = $1
       UNION ALL SELECT stretch + 1, last FROM stretches WHERE stretch < last)
     SELECT stretch FROM stretches s WHERE EXISTS (
       SELECT 1 FROM events e WHERE ${LOGGED} AND ${STRETCH_OF_EVENT} = s.stretch
         AND e.occurred_at_utc >= $3 AND e.occurred_at_utc < $4)
     LIMIT 1`,
    streamId,
    from,
    occurredFrom ?? EARLIEST,
    occurredBefore ?? LATEST,
  );
  return row?.stretch ?? null;
}
