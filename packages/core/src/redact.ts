/**
 * Redaction: leaving payloads out of evidence, by whoever holds it and without any key (protocol sections 7 and 14). Payload and salt
 * always go together, since either alone would help to guess; everything else verifies as before, and reports count what is gone.
 */
import type { Bundle } from "./objects/bundle/schema.ts";
import type { PortableReceipt } from "./objects/portable-receipt/schema.ts";
import { type ReceiptRecord, type RedactedRecord, redactRecord } from "./objects/receipt.ts";
import type { StreamSegment } from "./objects/stream.ts";
import { shapeProblems } from "./schema/validate.ts";
import { detectKind, kindEntry } from "./verify/kinds.ts";

/** Evidence that carries payloads. */
export type Redactable = Bundle | PortableReceipt | StreamSegment | ReceiptRecord;

/**
 * Leaves out the payloads of these events; what is redacted already stays so. The given object is not changed; the answer
 * shares what is untouched with it. Checks no hash or signature.
 *
 * @throws TypeError for an object of another kind, or one that has not the form of its kind.
 * @throws RangeError for a `seq_no` of no event in the object.
 *
 * @example
 * const shorter = redact(bundle, [1]);
 * console.log(Object.keys(bundle.payloads ?? {}).length, Object.keys(shorter.payloads ?? {}).length); // 3 2
 */
export function redact<Evidence extends Redactable>(object: Evidence, seqNos: Iterable<number>): Evidence;
export function redact(object: Redactable, seqNos: Iterable<number>): Redactable {
  const chosen = new Set(seqNos);
  const kind = detectKind(object);
  switch (kind) {
    case "receipt":
      return redactOne(formed(object as ReceiptRecord, kind), chosen);
    case "stream":
      return redactStream(formed(object as StreamSegment, kind), chosen);
    case "portable-receipt": {
      const portable = formed(object as PortableReceipt, kind);
      return { ...portable, receipt: redactOne(portable.receipt, chosen) };
    }
    case "bundle":
      return redactBundle(formed(object as Bundle, kind), chosen);
    default:
      throw new TypeError(
        `payloads stand in bundles, portable receipts, runs of records and receipts; this is ${kind ?? "none of them"}`,
      );
  }
}

function redactOne(record: ReceiptRecord, chosen: ReadonlySet<number>): ReceiptRecord {
  expectAll(chosen, [record]);
  return chosen.has(record.seq_no) ? redactRecord(record) : record;
}

function redactStream(segment: StreamSegment, chosen: ReadonlySet<number>): StreamSegment {
  expectAll(chosen, segment.records);
  const records = segment.records.map((record) => (chosen.has(record.seq_no) ? redactRecord(record) : record));
  return { ...segment, records };
}

function redactBundle(bundle: Bundle, chosen: ReadonlySet<number>): Bundle {
  const records = bundle.artifacts["receipts.json"];
  expectAll(chosen, records);
  if (bundle.payloads === undefined) return bundle;
  const gone = new Set(records.filter(({ seq_no }) => chosen.has(seq_no)).map((record) => record.stream_event_id));
  const payloads = Object.fromEntries(Object.entries(bundle.payloads).filter(([eventId]) => !gone.has(eventId)));
  return { ...bundle, payloads };
}

/** A misspelt number must not look as if its payload were gone. */
function expectAll(chosen: ReadonlySet<number>, records: readonly RedactedRecord[]): void {
  const present = new Set(records.map(({ seq_no }) => seq_no));
  for (const seqNo of chosen) if (!present.has(seqNo)) throw new RangeError(`event ${seqNo} is not in the object`);
}

/** An object of another form could hide a payload where nobody looks for it. */
function formed<Evidence extends Redactable>(
  object: Evidence,
  kind: "receipt" | "stream" | "portable-receipt" | "bundle",
): Evidence {
  const [problem] = shapeProblems(kindEntry(kind).validator, object);
  if (problem !== undefined) throw new TypeError(`this is no well-formed ${kind}: ${problem.path}: ${problem.message}`);
  return object;
}
