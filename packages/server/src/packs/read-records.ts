/**
 * The records and payloads of a pack, portion by portion, each in a short read of its own: events never change, and a slow reader must not hold
 * up the database. A payload that is erased meanwhile is not in the pack.
 */
import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import type { BundleSource } from "@svc/core";
import type { Database } from "../store/database.ts";
import { eventIdsOfRange, eventsOfRange, payloadsOf } from "../streams/events-store.ts";
import { parsePayload, recordOf } from "../streams/receipt-records.ts";
import type { StreamRow } from "../streams/streams-store.ts";
import type { EventRange } from "./collect-evidence.ts";

const RECORDS_IN_PORTION = 500;
/** A payload has up to 256 KiB. */
const PAYLOADS_IN_PORTION = 100;

/** The records of a range in order, without payloads. */
export async function* recordsOf(
  database: Database,
  { tenant_id, stream_id }: StreamRow,
  { from_seq_no, to_seq_no }: EventRange,
): BundleSource["records"] {
  for (let from = from_seq_no; from <= to_seq_no; from += RECORDS_IN_PORTION) {
    const to = Math.min(from + RECORDS_IN_PORTION - 1, to_seq_no);
    const rows = await database.read((reader) => eventsOfRange(reader, tenant_id, stream_id, from, to));
    yield rows.map((row) => recordOf(row, false));
    await turnOfEventLoop();
  }
}

/** The payloads of a range that have not been erased, in the order of their events' ids. */
export async function* payloadsOfRange(
  database: Database,
  { tenant_id, stream_id }: StreamRow,
  { from_seq_no, to_seq_no }: EventRange,
): BundleSource["payloads"] {
  const ids = await database.read((reader) => eventIdsOfRange(reader, tenant_id, stream_id, from_seq_no, to_seq_no));
  // Nearly always they are in order: ids carry the time. A clock that was set back makes the difference.
  ids.sort();
  for (let from = 0; from < ids.length; from += PAYLOADS_IN_PORTION) {
    const some = ids.slice(from, from + PAYLOADS_IN_PORTION);
    const rows = await database.read((reader) => payloadsOf(reader, tenant_id, some));
    yield Object.fromEntries(
      rows.map(({ stream_event_id, payload, payload_salt }) => [
        stream_event_id,
        { payload: parsePayload(payload), payload_salt },
      ]),
    );
    await turnOfEventLoop();
  }
}
