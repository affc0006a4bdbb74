/**
 * A run of receipt records of one stream (protocol section 7): each is consecutive and chained to the one before. It
 * does not show that the run starts or ends where the stream does.
 */
import type { Examination } from "../report/examination.ts";
import { Closed, StreamId } from "../schema/atoms.ts";
import * as Type from "../schema/type.ts";
import { KeyEndorsements, KeyHints } from "./key-endorsement.ts";
import { examinePayload, examineRecord, ReceiptRecord, type RedactedRecord, receivedTimes } from "./receipt.ts";

/**
 * A run of consecutive receipt records of one stream (protocol section 7). As JSON, shortened:
 *
 * ```json
 * {"stream_id":"str_01k3…","records":[],"key_hints":[]}
 * ```
 */
export const StreamSegment = Closed(
  {
    stream_id: StreamId,
    records: Type.Array(ReceiptRecord, { minItems: 1 }),
    key_hints: Type.Optional(KeyHints),
    key_endorsements: Type.Optional(KeyEndorsements),
  },
  { $id: "stream" },
);
export type StreamSegment = Type.Static<typeof StreamSegment>;

/**
 * Returns a run of records of one stream (protocol section 7). `records`: in order, at least one. `keys`: hints and
 * endorsements that are to travel with them. Throws RangeError for no record, and TypeError for records of two streams.
 * It does not check that they are consecutive and chained: `verify` does.
 *
 * @example
 * const receipts = await stream.appendBatch([event, event]);
 * const segment = issueStreamSegment(receipts);
 * console.log(verify(new TextEncoder().encode(JSON.stringify(segment)), { trust }).verdict); // verified
 */
export function issueStreamSegment(
  records: readonly ReceiptRecord[],
  keys: Pick<StreamSegment, "key_hints" | "key_endorsements"> = {},
): StreamSegment {
  const [first] = records;
  if (first === undefined) throw new RangeError("a run holds at least one record");
  const other = records.find(({ stream_id }) => stream_id !== first.stream_id);
  if (other !== undefined)
    throw new TypeError(`${other.stream_event_id} is of another stream than ${first.stream_event_id}`);
  return { stream_id: first.stream_id, records: [...records], ...keys };
}

/** Examines a run of records. */
export function examineStream(exam: Examination, segment: StreamSegment): void {
  const { stream_id, records } = segment;
  exam.subject = {
    id: null,
    stream_id,
    from_seq_no: records[0]?.seq_no ?? 0,
    to_seq_no: records.at(-1)?.seq_no ?? 0,
    ...receivedTimes(records),
  };
  records.forEach((record, index) => {
    const path = `/records/${index}`;
    if (record.payload === undefined || record.payload_salt === undefined) exam.redacted++;
    else examinePayload(exam, record, record.payload, record.payload_salt, `${path}/payload`);
    examineRecord(exam, record, path);
  });
  if (exam.redacted > 0) exam.notChecked("payload_hash", `${exam.redacted} redacted`);
  examineSequence(exam, stream_id, records, "/records");
}

/**
 * Checks that records are of one stream, consecutive and chained, and that the service's clock never goes back along
 * them.
 */
export function examineSequence(
  exam: Examination,
  streamId: string,
  records: readonly RedactedRecord[],
  path: string,
): void {
  records.forEach((record, index) => {
    exam.looked("sequence");
    const at = `${path}/${index}`;
    exam.expect("sequence", record.stream_id === streamId, {
      code: "stream_mismatch",
      path: `${at}/stream_id`,
      message: `Event ${record.seq_no} is of another stream.`,
      expected: streamId,
      actual: record.stream_id,
    });
    const previous = records[index - 1];
    if (previous !== undefined) examineSuccession(exam, previous, record, at);
  });
}

function examineSuccession(exam: Examination, previous: RedactedRecord, record: RedactedRecord, path: string): void {
  const { seq_no } = record;
  const due = previous.seq_no + 1;
  if (seq_no > due) {
    const missing = seq_no - due === 1 ? `Event ${due} is missing` : `Events ${due} to ${seq_no - 1} are missing`;
    exam.reject("sequence", {
      code: "range_incomplete",
      path: `${path}/seq_no`,
      message: `${missing}: event ${previous.seq_no} is followed by event ${seq_no}.`,
      expected: `${due}`,
      actual: `${seq_no}`,
    });
  } else if (seq_no < due) {
    exam.reject("sequence", {
      code: "sequence_broken",
      path: `${path}/seq_no`,
      message: `Event ${previous.seq_no} is followed by event ${seq_no}: repeated, inserted or out of order.`,
      expected: `${due}`,
      actual: `${seq_no}`,
    });
  }
  exam.expect("sequence", record.previous_event_hash === previous.event_hash, {
    code: "previous_hash_mismatch",
    path: `${path}/previous_event_hash`,
    message: `Event ${seq_no} does not chain to event ${previous.seq_no}, the one before it.`,
    expected: previous.event_hash,
    actual: record.previous_event_hash,
  });
  exam.expect("sequence", record.received_at >= previous.received_at, {
    code: "sequence_broken",
    path: `${path}/received_at`,
    message: `Event ${seq_no} has an earlier time than event ${previous.seq_no}.`,
    expected: `not before ${previous.received_at}`,
    actual: record.received_at,
  });
}
