/**
 * Redacts evidence: anybody who holds it can leave payloads out, without any key (protocol sections 7 and 14). Payload
 * and salt always go together, since either alone would help to guess. Everything else verifies as before, and reports
 * count the payloads that are gone.
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
 * Returns evidence without the payloads of some events (protocol sections 7 and 14). `object`: a bundle, portable
 * receipt, stream segment or receipt record; it is not changed, and the result shares its other parts. `seqNos`: of the
 * events, from 1; one whose payload is already gone stays so. Throws TypeError for an object of another kind, or
 * without the form of its kind, and for a bundle over a provenance stream, which holds its payloads elsewhere too, and
 * RangeError for a number of no event in the object. It checks no hash and no signature.
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
        `payloads are in bundles, portable receipts, runs of records and receipts; this is ${kind ?? "none of them"}`,
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

/** An object of another form could hide a payload in an unexpected place. */
function formed<Evidence extends Redactable>(
  object: Evidence,
  kind: "receipt" | "stream" | "portable-receipt" | "bundle",
): Evidence {
  const checks = kindEntry(kind, object);
  if (checks === null)
    throw new TypeError(
      "the payload of an event of a vault is its envelope, which this bundle holds in provenance.json too: leave " +
        "its content out of contents instead",
    );
  const [problem] = shapeProblems(checks.validator, object);
  if (problem !== undefined) throw new TypeError(`this is no well-formed ${kind}: ${problem.path}: ${problem.message}`);
  return object;
}
