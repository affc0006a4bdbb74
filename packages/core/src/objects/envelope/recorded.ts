/** Checks that an envelope is the one that the service recorded as an event's payload (protocol sections 20 and 27). */
import type { Examination } from "../../report/examination.ts";
import type { HashHex } from "../../schema/atoms.ts";
import type { DescribedRecord } from "../bundle/provenance/described.ts";
import { payloadHash } from "../receipt.ts";
import { envelopeInWords } from "./examine.ts";
import type { Content, SealedEnvelope } from "./schema.ts";

/** A vault's clock may be ahead of the service's by so much. */
export const MAX_AHEAD_MS = 300_000;

/**
 * Checks an envelope against the record of its event. `salt`: of the payload. `path`: of the envelope. `own`: its hash
 * as a payload.
 */
export function examineRecordedEnvelope(
  exam: Examination,
  envelope: SealedEnvelope,
  salt: string,
  record: DescribedRecord,
  path: string,
  own: HashHex = payloadHash(exam.kernel, envelope, salt),
): void {
  exam.looked("envelope");
  const what = () => envelopeInWords(envelope);
  const of = () => `${what()} is recorded as event ${record.seq_no} under another`;
  expectRecorded(exam, record.payload_hash, own, path, () => `${what()} is not the payload of event ${record.seq_no}.`);
  expectRecorded(exam, record.source_ref, envelope.sourceRef, `${path}/sourceRef`, () => `${of()} source reference.`);
  expectRecorded(exam, record.stream_id, envelope.streamId, `${path}/streamId`, () => `${of()} stream.`);
}

/** Checks a content against the record of its event. `path`: of the content. */
export function examineRecordedContent(
  exam: Examination,
  envelope: SealedEnvelope,
  content: Content,
  record: DescribedRecord,
  path: string,
): void {
  const { seq_no, event_type, occurred_at, received_at } = record;
  const of = () => `${envelopeInWords(envelope)} is recorded as event ${seq_no} under another`;
  expectRecorded(exam, event_type, content.eventType, `${path}/eventType`, () => `${of()} type.`);
  expectRecorded(exam, occurred_at, content.occurredAt, `${path}/occurredAt`, () => `${of()} time.`);
  if (Date.parse(content.sealedAt) - Date.parse(received_at) <= MAX_AHEAD_MS) return;
  exam.reject("envelope", {
    code: "vault_clock_ahead",
    path: `${path}/sealedAt`,
    message: `The vault says that it sealed event ${seq_no} more than 300 s after the service received it.`,
    expected: `at most 300 s after ${received_at}`,
    actual: content.sealedAt,
  });
}

function expectRecorded(exam: Examination, recorded: string, own: string, path: string, message: () => string): void {
  // Most are equal, and need no words.
  if (recorded !== own)
    exam.reject("envelope", {
      code: "envelope_record_mismatch",
      path,
      message: message(),
      expected: recorded,
      actual: own,
    });
}
