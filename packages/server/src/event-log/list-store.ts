/**
 * The events of a log as lists find them, by type, status, reference or time; the filter that reaches furthest leads.
 * All SQL about it.
 */
import {
  type Condition,
  equal,
  type Filter,
  type IndexedFilter,
  indexLead,
  type Lead,
  type ListSql,
  type Reader,
  type Walked,
  walk,
  where,
  written,
} from "@svc/host/store";
import { LOG_COLUMNS, type LogRow } from "./log-store.ts";

/** The filters of a list; null for any. Times are normalized (host's clock.ts). */
export interface LogFilter {
  readonly type: string | null;
  readonly status: string | null;
  readonly sourceRef: string | null;
  /** At this time or later. */
  readonly occurredFrom: string | null;
  /** Earlier than this time. */
  readonly occurredBefore: string | null;
}

/** The part of a list to read: the events behind a number of a stream, `most` at most. */
interface Part {
  readonly tenantId: string;
  readonly streamId: string;
  readonly afterSeqNo: number;
  readonly most: number;
}

/**
 * The number of events in a stretch, and the stretch of an event as the index by time computes it. A stretch is smaller
 * than the number of rows that a list examines for a page.
 */
const STRETCH = 4096;
const STRETCH_OF_EVENT = `(e.seq_no / ${STRETCH})`;

const LIST: ListSql<LogRow> = {
  columns: LOG_COLUMNS,
  from: "events e",
  key: ["e.seq_no"],
  placeOf: ({ seq_no }) => [seq_no],
};

/**
 * Resolves to the events of this tenant's log stream behind a number, in order: `most` at most, and no more than a
 * bounded walk over `bound` rows finds.
 */
export function loggedAfter(
  reader: Reader,
  { type, status, sourceRef, occurredFrom, occurredBefore }: LogFilter,
  { tenantId, streamId, afterSeqNo, most }: Part,
  bound?: number,
): Promise<Walked<LogRow>> {
  const words = [
    ...(type === null ? [] : [equal("e.event_type", type)]),
    ...(status === null ? [] : [equal("e.status", status)]),
  ];
  const reference = sourceRef === null ? [] : [equal("e.source_ref", sourceRef)];
  const times = [
    ...(occurredFrom === null ? [] : [occurred(">=", occurredFrom)]),
    ...(occurredBefore === null ? [] : [occurred("<", occurredBefore)]),
  ];
  const ofStream: Condition = (place) => `e.stream_id = ${place(streamId)}`;
  const ofTenant = equal("e.tenant_id", tenantId).kept;
  const lead = (within: readonly Condition[], led: readonly IndexedFilter[], kept: readonly Filter[]) =>
    indexLead(reader, LIST, { within: [ofStream, ...within], led, kept, also: [ofTenant] });
  const leads = [
    ...(sourceRef === null ? [] : [lead([], reference, [...words, ...times])]),
    ...(words.length === 0 ? [] : [lead([LOGGED], words, [...reference, ...times])]),
    ...(times.length === 0
      ? []
      : [timeLead(reader, { streamId, times, kept: [...reference, ...words], also: ofTenant })]),
  ];
  return walk(LIST, leads.length === 0 ? [lead([], [], [])] : leads, { after: [afterSeqNo], most }, bound);
}

/** The indexes by words and by time hold the events of logs only. */
const LOGGED: Condition = () => "e.event_log_no IS NOT NULL";

function occurred(comparison: ">=" | "<", time: string): Filter {
  return { kept: (place) => `e.occurred_at_utc ${comparison} ${place(time)}` };
}

/**
 * The lead by time. Events need not arrive in the order of their times, so the index has them by stretches of numbers,
 * and by time within each. A stretch without such a time costs one look at the index, which counts as one examined row.
 */
function timeLead(
  reader: Reader,
  {
    streamId,
    times,
    kept,
    also,
  }: {
    readonly streamId: string;
    readonly times: readonly Filter[];
    readonly kept: readonly Filter[];
    readonly also: Condition;
  },
): Lead<LogRow> {
  const ofStream: Condition = (place) => `e.stream_id = ${place(streamId)}`;
  const led = [ofStream, LOGGED, ...times.map((filter) => filter.kept)];
  let stretches: number[] = [];
  return {
    isExact: false,
    reach: async (after, bound) => {
      const from = stretchOf(Number(after?.[0] ?? 0) + 1);
      const { sql, values } = written((place) => {
        const found =
          `SELECT COUNT(*) FROM events e ` + `${where([...led, () => `${STRETCH_OF_EVENT} = w.stretch + 1`])(place)}`;
        // PostgreSQL takes the types of the first row for those of all, and a count is a BIGINT.
        return `WITH RECURSIVE walked (stretch, examined, last) AS (
            SELECT CAST(${from} - 1 AS BIGINT), CAST(0 AS BIGINT), s.head_seq_no / ${STRETCH} FROM streams s WHERE s.stream_id = ${place(streamId)}
            UNION ALL SELECT w.stretch + 1, w.examined + 1 + (${found}), w.last
            FROM walked w WHERE w.stretch < w.last AND w.examined < ${place(bound)})
          SELECT stretch, examined, last FROM walked WHERE stretch >= ${from} ORDER BY stretch`;
      });
      const walked = await reader.all<{ stretch: number; examined: number; last: number }>(sql, ...values);
      // The last stretch that was counted may exceed the bound; the first one always counts.
      const whole = walked.filter(({ examined }, index) => index === 0 || examined <= bound);
      stretches = whole.flatMap(({ stretch, examined }, index) =>
        examined > (whole[index - 1]?.examined ?? 0) + 1 ? [stretch] : [],
      );
      const end = whole.at(-1);
      return end === undefined || end.stretch === end.last ? null : [(end.stretch + 1) * STRETCH - 1];
    },
    rows: async ({ after, most }) => {
      const found: LogRow[] = [];
      for (const stretch of stretches) {
        const conditions: Condition[] = [
          ...led,
          (place) => `${STRETCH_OF_EVENT} = ${place(stretch)}`,
          // Few events of a stretch have such a time: the sum keeps the database from choosing the index by number.
          (place) => `e.seq_no + 0 > ${place(after?.[0] ?? 0)}`,
          also,
          ...kept.map((filter) => filter.kept),
        ];
        const { sql, values } = written(
          (place) =>
            `SELECT ${LOG_COLUMNS} FROM events e ${where(conditions)(place)} ORDER BY e.seq_no LIMIT ` +
            `${place(most - found.length)}`,
        );
        found.push(...(await reader.all<LogRow>(sql, ...values)));
        if (found.length === most) break;
      }
      return found;
    },
  };
}

function stretchOf(seqNo: number): number {
  return Math.floor(seqNo / STRETCH);
}
