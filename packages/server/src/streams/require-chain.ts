/**
 * Checks the stored chain of a stream before anything is built on it: a row that somebody changed, removed or inserted
 * must not be sealed. It checks hash links only, and does NOT recompute the hash of an event from its members.
 */
import { type HashHex, ZERO_HASH } from "@svc/core";
import type { Reader } from "@svc/host/store";
import { type EventHashRow, hashesOf, hashesOfRange } from "./events-store.ts";
import type { StreamRow } from "./streams-store.ts";

/**
 * Resolves to the events of a range, both ends included, and the hash before them. Each event must be linked to the one
 * before, the first one to the event before the range, and the stream's last one must be the head of its row. Rejects
 * with an Error that names the event at which this fails. An empty range has no events.
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

/**
 * Resolves to a function that throws Error unless the head of a stream's row is its last event. `streams`: all that it
 * may be asked about.
 */
export async function knownHeads(reader: Reader, streams: readonly StreamRow[]): Promise<(stream: StreamRow) => void> {
  const places = streams.map(({ stream_id, head_seq_no }) => ({ stream_id, seq_no: head_seq_no }));
  const hashes = await hashesOf(
    reader,
    places.filter(({ seq_no }) => seq_no > 0),
  );
  return (stream) => {
    const { stream_id, head_seq_no } = stream;
    requireHead(stream, head_seq_no === 0 ? ZERO_HASH : present(hashes.get(stream_id), stream_id, head_seq_no));
  };
}

/** Resolves to the hash of one event, ZERO_HASH for number 0. Rejects with Error if the event is missing. */
export async function requireEventHash(reader: Reader, streamId: string, seqNo: number): Promise<HashHex> {
  if (seqNo === 0) return ZERO_HASH;
  const hashes = await hashesOf(reader, [{ stream_id: streamId, seq_no: seqNo }]);
  return present(hashes.get(streamId), streamId, seqNo);
}

function present(hash: HashHex | undefined, streamId: string, seqNo: number): HashHex {
  if (hash === undefined) throw new Error(`event ${seqNo} of ${streamId} is missing from the database`);
  return hash;
}

function requireHead({ stream_id, head_seq_no, head_event_hash }: StreamRow, eventHash: HashHex): void {
  if (eventHash !== head_event_hash)
    throw new Error(`event ${head_seq_no} is not the head of ${stream_id}: the database was changed`);
}
