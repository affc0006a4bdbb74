/**
 * Checks the events of one stream against each other and its row, their hashes and their signatures: core verifies them
 * in portions, each chained to the last one. Payloads in archive files are NOT checked here: archive/ does that.
 */
import { type Kernel, type Report, type TrustPolicy, verify, ZERO_HASH } from "@svc/core";
import { difference, type Fault } from "@svc/host/checks";
import { normalizedUtc } from "@svc/host/clock";
import { isArchived } from "../archived/archived-payloads.ts";
import type { CheckContext } from "../check-context.ts";
import { sealFault } from "../keys/check-keys.ts";
import type { SigningKeyRow } from "../signing/service-store.ts";
import { contentOf } from "./logged-event.ts";
import { parsePayload, recordOf } from "./receipt-records.ts";
import { type RawEvent, rawEvents } from "./rows-store.ts";
import type { StreamRow } from "./streams-store.ts";

const PORTION = 500;
const PLACE = /^\/records\/(\d+)/;

/**
 * Yields the faults of a stream's events, in order. It stops after the first portion with a fault, because the next
 * ones would repeat it.
 */
export async function* checkEvents(
  { database, kernel, keys, trust, onStep }: CheckContext,
  stream: StreamRow,
): AsyncGenerator<Fault> {
  const { stream_id } = stream;
  let before: RawEvent | null = null;
  for (;;) {
    const after: number = before?.seq_no ?? 0;
    onStep(`: event ${after} of ${stream.head_seq_no}`);
    const rows: RawEvent[] = await database.read((reader) => rawEvents(reader, stream_id, after, PORTION));
    if (rows.length === 0) break;
    const segment: RawEvent[] = before === null ? rows : [before, ...rows];
    const faults = [...columnFaults(stream, rows, keys), ...evidenceFaults(kernel, trust, stream_id, segment, after)];
    yield* faults;
    before = rows.at(-1) ?? null;
    if (faults.length > 0) break;
  }
  const fault = difference("streams", { stream_id }, stream, {
    head_seq_no: before?.seq_no ?? 0,
    head_event_hash: before?.event_hash ?? ZERO_HASH,
    last_received_at: before?.received_at ?? null,
  });
  if (fault !== null) yield fault;
}

function* columnFaults(
  { tenant_id, event_log_no }: StreamRow,
  rows: readonly RawEvent[],
  keys: readonly SigningKeyRow[],
): Generator<Fault> {
  for (const row of rows) {
    const key = { stream_event_id: row.stream_event_id };
    const isErased = row.payload === null && row.payload_salt === null;
    const hasBoth = row.payload_salt !== null;
    const fault = difference(
      "events",
      key,
      { ...row },
      {
        tenant_id,
        occurred_at_utc: utcOf(row.occurred_at),
        is_erased: Number(isErased),
        event_log_no,
        // The check of the archive compares the status of an archived event of a log.
        ...(event_log_no !== null && isArchived(row)
          ? {}
          : { status: event_log_no === null ? null : statusIn(row.payload) }),
      },
    );
    if (fault !== null) yield fault;
    const late = sealFault(keys, row.receipt_kid, row.received_at);
    if (late !== null) yield { table: "events", row: key, fault: late };
    if (!isErased && !hasBoth) yield { table: "events", row: key, fault: "payload and salt are not both there" };
  }
}

/** Returns the time in UTC; null for a text that is no time. */
function utcOf(occurredAt: string): string | null {
  try {
    return normalizedUtc(occurredAt);
  } catch {
    return null;
  }
}

/** Returns the status in the payload of an event of a log; null if the payload is erased or has none. */
function statusIn(payload: string | null): string | null {
  try {
    return payload === null ? null : contentOf(parsePayload(payload)).status;
  } catch {
    return null;
  }
}

function* evidenceFaults(
  kernel: Kernel,
  trust: TrustPolicy,
  stream_id: string,
  segment: readonly RawEvent[],
  after: number,
): Generator<Fault> {
  let records: unknown[];
  try {
    records = segment.map((row) => recordOf(row, !isArchived(row)));
  } catch (error) {
    yield { table: "events", row: { stream_id, after_seq_no: after }, fault: (error as Error).message };
    return;
  }
  const first = segment[0]?.seq_no;
  if (after === 0 && first !== 1) {
    yield { table: "events", row: { stream_id, seq_no: 1 }, fault: `is missing: the first event is number ${first}` };
    return;
  }
  const report: Report = verify(Buffer.from(JSON.stringify({ stream_id, records })), { kind: "stream", trust, kernel });
  for (const { code, path, message } of report.problems) {
    const row = segment[Number(PLACE.exec(path)?.[1] ?? 0)];
    yield {
      table: "events",
      row: { stream_id, seq_no: row?.seq_no ?? null, stream_event_id: row?.stream_event_id ?? null },
      fault: `${code}: ${message}`,
    };
  }
}
