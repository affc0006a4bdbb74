/** Hashes and chains receipt records again (protocol section 7). */
import type { PayloadEntry } from "../../objects/bundle/schema.ts";
import { eventHash, headHash, payloadHash, type ReceiptRecord, receiptBody } from "../../objects/receipt.ts";
import type { HashHex } from "../../schema/atoms.ts";
import { type Forger, sealAgain } from "./forger.ts";

/**
 * Returns a record with all of its hashes computed again. `previous`: the event hash before it, or null to keep the
 * present one.
 */
export function recordAgain(
  forger: Forger,
  record: ReceiptRecord,
  previous: HashHex | null,
  payload: PayloadEntry | null = ownPayload(record),
): ReceiptRecord {
  const { kernel } = forger;
  const payload_hash =
    payload === null ? record.payload_hash : payloadHash(kernel, payload.payload, payload.payload_salt);
  const hashed = { ...record, payload_hash, previous_event_hash: previous ?? record.previous_event_hash };
  const event_hash = eventHash(kernel, hashed);
  const stream_head_hash = headHash(kernel, record.stream_id, record.seq_no, event_hash);
  const unsigned = { ...hashed, event_hash, stream_head_hash };
  return { ...unsigned, receipt: sealAgain(forger, "receipt", receiptBody(unsigned), record.receipt) };
}

/** Returns records in a row, each chained to the one before; the first one follows the same event as before. */
export function runAgain(
  forger: Forger,
  records: readonly ReceiptRecord[],
  payloadOf: (record: ReceiptRecord) => PayloadEntry | null = ownPayload,
): ReceiptRecord[] {
  let previous: HashHex | null = null;
  return records.map((record) => {
    const again = recordAgain(forger, record, previous, payloadOf(record));
    previous = again.event_hash;
    return again;
  });
}

function ownPayload({ payload, payload_salt }: ReceiptRecord): PayloadEntry | null {
  return payload === undefined || payload_salt === undefined ? null : { payload, payload_salt };
}
