/** Rows of remembered requests that are missing: what nobody remembers is recorded twice. */
import { type Clock, serviceTime } from "@svc/host/clock";
import type { Database } from "@svc/host/store";
import {
  askedEvents,
  askedStreams,
  firstRecordNo,
  newestRecordUpTo,
  oldestRecordFrom,
  type RecordGap,
  recordGaps,
} from "./store.ts";

const MOST = 20;
const PORTION = 1000;
/** Higher than any number of an event, and than any time. */
const [ABOVE_ALL, LATEST] = [Number.MAX_SAFE_INTEGER, "9999-12-31T23:59:59.999Z"];
/** The shortest time for which a deployment can remember requests (settings.ts): a check need not know its setting. */
const REMEMBERED_MS = 86_400_000;
/** Around the age at which records are forgotten, those of one commit can differ. */
const EDGE_MS = 3_600_000;

/** Resolves to the gaps that forgetting has not made, 20 at most. The database must be an embedded one. */
export function missingRecords(database: Pick<Database, "read">): Promise<RecordGap[]> {
  return database.read(async (reader) => {
    const [first, oldest] = [await firstRecordNo(reader), await oldestRecordFrom(reader, "")];
    if (first === null || oldest === null) return [];
    return recordGaps(reader, first === 1 ? "" : serviceTime(Date.parse(oldest) + EDGE_MS), MOST);
  });
}

/** An event of which no request is remembered, though it must be. */
export interface UnaskedEvent {
  readonly stream_id: string;
  readonly seq_no: number;
}

/**
 * Resolves to events whose requests must be remembered and are not, the first 20: requests of the last day, and those
 * that are newer than all that are remembered, since forgetting takes the oldest. Numbers do not tell of the first and
 * the last rows, nor of any on a server.
 */
export async function unaskedEvents(database: Pick<Database, "read">, clock: Clock): Promise<UnaskedEvent[]> {
  const found: UnaskedEvent[] = [];
  const newest = await database.read((reader) => newestRecordUpTo(reader, LATEST));
  const lastDay = serviceTime(clock() - REMEMBERED_MS + EDGE_MS);
  const since = newest !== null && newest < lastDay ? newest : lastDay;
  for (let after: string | undefined = ""; after !== undefined; ) {
    const streams: string[] = await database.read((reader) => askedStreams(reader, after ?? "", PORTION));
    for (const streamId of streams) {
      for (let before = ABOVE_ALL; before > 1; ) {
        const events = await database.read((reader) => askedEvents(reader, streamId, before, PORTION));
        const due = events.filter(({ received_at }) => received_at > since);
        found.push(
          ...due.filter(({ is_known }) => is_known === 0).map(({ stream_id, seq_no }) => ({ stream_id, seq_no })),
        );
        if (found.length >= MOST) return found.slice(0, MOST);
        // Times never go back along a stream.
        before = due.length < PORTION ? 0 : (due.at(-1)?.seq_no ?? 0);
      }
    }
    after = streams.length < PORTION ? undefined : streams.at(-1);
  }
  return found;
}
