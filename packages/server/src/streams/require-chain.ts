/**
 * What the database says of a stream is looked at before it is built on: a row that somebody changed, took away or put in must not be
 * sealed. Hash links only; whether each hash is that of its event's members is NOT recomputed here.
 */
import { type HashHex, ZERO_HASH } from "@svc/core";
import type { Reader } from "@svc/host/store";
import { type EventHashRow, hashesOfRange } from "./events-store.ts";
import type { StreamRow } from "./streams-store.ts";

/**
 * The events of a range, both ends included, none missing and each linked to the one before; the first to the event before the range, and
 * the stream's last event to the head of its row. Throws an Error that names the event at which this does not hold. An empty range is
 * none.
 */
export async function requireChain(
  reader: Reader,
  stream: StreamRow,
  fromSeqNo: number,
  toSeqNo: number,
): Promise<{ readonly before: HashHex; readonly events: readonly EventHashRow[] }> {
  const { stream_id } = stream;
  const before = await requireEventHash(reader, stream_id, fromSeqNo - 1);
  const events = await hashesOfRange(reader, stream_id, fromSeqNo, toSeqNo);
  let previous = before;
  for (let seqNo = fromSeqNo; seqNo <= toSeqNo; seqNo++) {
    const event = events[seqNo - fromSeqNo];
    if (event?.seq_no !== seqNo) throw new Error(`event ${seqNo} of ${stream_id} is missing from the database`);
    if (event.previous_event_hash !== previous)
      throw new Error(`event ${seqNo} of ${stream_id} does not follow the one before it: the database was changed`);
    previous = event.event_hash;
  }
  if (toSeqNo === stream.head_seq_no) requireHead(stream, previous);
  return { before, events };
}

/** That the head of the stream's row is its last event. Throws an Error otherwise. */
export async function requireKnownHead(reader: Reader, stream: StreamRow): Promise<void> {
  requireHead(stream, await requireEventHash(reader, stream.stream_id, stream.head_seq_no));
}

/** The hash of one event, ZERO_HASH for number 0. Throws an Error where it is missing. */
export async function requireEventHash(reader: Reader, streamId: string, seqNo: number): Promise<HashHex> {
  if (seqNo === 0) return ZERO_HASH;
  const [event] = await hashesOfRange(reader, streamId, seqNo, seqNo);
  if (event === undefined) throw new Error(`event ${seqNo} of ${streamId} is missing from the database`);
  return event.event_hash;
}

function requireHead({ stream_id, head_seq_no, head_event_hash }: StreamRow, eventHash: HashHex): void {
  if (eventHash !== head_event_hash)
    throw new Error(`event ${head_seq_no} is not the head of ${stream_id}: the database was changed`);
}
