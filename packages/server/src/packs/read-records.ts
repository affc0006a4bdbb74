/**
 * The records and payloads of a pack, in portions, each in a short separate read: events never change, and a slow
 * reader must not hold up the database. A payload that is erased meanwhile is not in the pack.
 */
import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import type { BundleSource, PayloadEntry, ReceiptRecord } from "@svc/core";
import type { Database as WholeDatabase } from "@svc/host/store";
import type { ArchivedPayloads } from "../archived/archived-payloads.ts";
import {
  type EventRow,
  eventIdsOfRange,
  eventsOfRange,
  type PayloadRow,
  payloadsOf,
  redactedEventsOfRange,
} from "../streams/events-store.ts";
import { parsePayload, recordOf } from "../streams/receipt-records.ts";
import type { StreamRow } from "../streams/streams-store.ts";
import type { EventRange } from "./collect-evidence.ts";

type Database = Pick<WholeDatabase, "read">;
/** The two places of payloads: the database, and the files of the archive. */
export interface PayloadSource {
  readonly database: Database;
  readonly archived: ArchivedPayloads;
}

const RECORDS_IN_PORTION = 500;
const PAYLOADS_IN_PORTION = 100;
/** A payload has up to 256 KiB, so that a portion has fewer payloads where they are large. */
const CHARACTERS_IN_PORTION = 1024 * 1024;
/** The first portion is small, because nothing is known of the sizes of its payloads. */
const FIRST_PORTION = 10;
const IDS_IN_PORTION = 5000;

/**
 * Yields the rows of a range in order, with or without payloads, in portions. Throws as `ArchivedPayloads.restored`
 * rejects.
 */
export async function* rowsOfRange(
  { database, archived }: PayloadSource,
  { tenant_id, stream_id }: OfStream,
  { from_seq_no, to_seq_no }: EventRange,
  { payloads }: { readonly payloads: "included" | "redacted" },
): AsyncGenerator<readonly EventRow[]> {
  const eventsOf = payloads === "included" ? eventsOfRange : redactedEventsOfRange;
  let [from, portion] = [from_seq_no, FIRST_PORTION];
  while (from <= to_seq_no) {
    const [first, last] = [from, Math.min(from + portion - 1, to_seq_no)];
    const found = await database.read((reader) => eventsOf(reader, tenant_id, stream_id, first, last));
    const rows = await archived.restored(database, found);
    yield rows;
    from = last + 1;
    portion = batchAfter(portion, rows);
    await turnOfEventLoop();
  }
}

/** Returns how many events to read next, by the payloads of those that were just read. */
function batchAfter(portion: number, rows: readonly Pick<EventRow, "payload">[]): number {
  const characters = rows.reduce((sum, { payload }) => sum + (payload?.length ?? 0), 0);
  const fitting = Math.floor((portion * CHARACTERS_IN_PORTION) / Math.max(1, characters));
  return Math.max(1, Math.min(fitting, 2 * portion, PAYLOADS_IN_PORTION));
}

/** Yields the records of a range in order, without payloads, in portions. */
export async function* recordsOf(
  database: Database,
  { tenant_id, stream_id }: StreamRow,
  { from_seq_no, to_seq_no }: EventRange,
): AsyncGenerator<readonly ReceiptRecord[]> {
  for (let from = from_seq_no; from <= to_seq_no; from += RECORDS_IN_PORTION) {
    const to = Math.min(from + RECORDS_IN_PORTION - 1, to_seq_no);
    const rows = await database.read((reader) => redactedEventsOfRange(reader, tenant_id, stream_id, from, to));
    yield rows.map((row) => recordOf(row, false));
    await turnOfEventLoop();
  }
}

/**
 * Yields the payloads of a range that are not erased, in the order of their events' ids, in portions. Ids contain the
 * time, so that they nearly always rise with the numbers. If a clock was set back, the range has several runs of rising
 * ids, which are merged. Throws as `ArchivedPayloads.restored` rejects.
 */
export async function* payloadsOfRange(
  { database, archived }: PayloadSource,
  { tenant_id, stream_id }: StreamRow,
  range: EventRange,
): BundleSource["payloads"] {
  const heads: PayloadHead[] = [];
  for (const run of await risingRuns(database, { tenant_id, stream_id }, range)) {
    const rows = payloadRows({ database, archived }, { tenant_id, stream_id }, run);
    heads.push({ rows, next: (await rows.next()).value ?? null });
  }
  let portion: Record<string, PayloadEntry> = {};
  let [held, characters] = [0, 0];
  for (;;) {
    const lowest = lowestOf(heads);
    if (lowest === null) break;
    const { stream_event_id, payload, payload_salt } = lowest.next;
    portion[stream_event_id] = { payload: parsePayload(payload), payload_salt };
    lowest.head.next = (await lowest.head.rows.next()).value ?? null;
    held += 1;
    characters += payload.length;
    if (held < PAYLOADS_IN_PORTION && characters < CHARACTERS_IN_PORTION) continue;
    yield portion;
    [portion, held, characters] = [{}, 0, 0];
    await turnOfEventLoop();
  }
  yield portion;
}

/** Yields no payloads. */
export async function* noPayloads(): AsyncGenerator<never> {}

type OfStream = Pick<StreamRow, "tenant_id" | "stream_id">;

/** A run of rising ids, and its next payload; null at its end. */
interface PayloadHead {
  readonly rows: AsyncGenerator<FetchedRow, undefined>;
  next: FetchedRow | null;
}

/** A row with the payload that it had when it was recorded. */
type FetchedRow = PayloadRow & { readonly payload: string; readonly payload_salt: string };

function lowestOf(heads: readonly PayloadHead[]): { readonly head: PayloadHead; readonly next: FetchedRow } | null {
  let lowest: { readonly head: PayloadHead; readonly next: FetchedRow } | null = null;
  for (const head of heads)
    if (head.next !== null && (lowest === null || head.next.stream_event_id < lowest.next.stream_event_id))
      lowest = { head, next: head.next };
  return lowest;
}

/** Resolves to the parts of a range within which ids rise. */
async function risingRuns(database: Database, { tenant_id, stream_id }: OfStream, range: EventRange) {
  const starts = [range.from_seq_no];
  let before = "";
  for (let from = range.from_seq_no; from <= range.to_seq_no; from += IDS_IN_PORTION) {
    const to = Math.min(from + IDS_IN_PORTION - 1, range.to_seq_no);
    const ids = await database.read((reader) => eventIdsOfRange(reader, tenant_id, stream_id, from, to));
    for (const [index, id] of ids.entries()) {
      if (id < before) starts.push(from + index);
      before = id;
    }
    await turnOfEventLoop();
  }
  return starts.map((from_seq_no, index) => ({
    from_seq_no,
    to_seq_no: (starts[index + 1] ?? range.to_seq_no + 1) - 1,
  }));
}

async function* payloadRows(
  { database, archived }: PayloadSource,
  { tenant_id, stream_id }: OfStream,
  { from_seq_no, to_seq_no }: EventRange,
): AsyncGenerator<FetchedRow, undefined> {
  let [from, portion] = [from_seq_no, FIRST_PORTION];
  while (from <= to_seq_no) {
    const [first, last] = [from, Math.min(from + portion - 1, to_seq_no)];
    const found = await database.read((reader) => payloadsOf(reader, tenant_id, stream_id, first, last));
    const rows = await archived.restored(database, found);
    // A payload that was erased since the first look is left out.
    for (const row of rows) if (isFetched(row)) yield row;
    from = last + 1;
    portion = batchAfter(portion, rows);
  }
}

function isFetched(row: PayloadRow): row is FetchedRow {
  return row.payload !== null && row.payload_salt !== null;
}
