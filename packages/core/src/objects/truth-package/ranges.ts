/**
 * Checks whether the bundles of a package fit its ranges, and hold the events asked for and nothing else (protocol
 * section 15).
 */
import type { Examination } from "../../report/examination.ts";
import { coversExpected } from "../../report/expectations.ts";
import { pointerTo } from "../../schema/pointer.ts";
import type { Bundle } from "../bundle/schema.ts";
import type { RedactedRecord } from "../receipt.ts";
import type { AskedEvents } from "./asked.ts";
import type { Proof } from "./proof.ts";
import { MANIFEST_PATH, type PackageRange } from "./schema.ts";

const CHECK = "export";

type ReceivedAt = Pick<RedactedRecord, "received_at">;

/**
 * Checks bundles against ranges: one bundle for each stream, in order, that covers its ranges and has no payload
 * outside them. Returns the first and the last event of the ranges that is there.
 */
export function examineRanges(
  exam: Examination,
  ranges: readonly PackageRange[],
  asked: AskedEvents,
  proofs: readonly Proof[],
): ReceivedAt[] {
  const bundles = proofs.map(({ value }) => value as Bundle);
  examineOrder(exam, bundles);
  const byStream = new Map(bundles.map((bundle) => [bundle.manifest.stream_id, bundle]));
  ranges.forEach((range, index) => {
    const shown = byStream.get(range.stream_id)?.manifest;
    const isCovered =
      shown !== undefined && shown.from_seq_no <= range.from_seq_no && shown.to_seq_no >= range.to_seq_no;
    exam.expect(CHECK, isCovered, {
      code: "range_incomplete",
      path: `${pointerTo("", MANIFEST_PATH)}/ranges/${index}`,
      message: `No bundle here covers events ${range.from_seq_no} to ${range.to_seq_no} of ${range.stream_id}.`,
      expected: `${range.from_seq_no} to ${range.to_seq_no}`,
      actual: shown === undefined ? "no bundle" : `${shown.from_seq_no} to ${shown.to_seq_no}`,
    });
  });
  return proofs.flatMap((proof, index) => examineContents(exam, proof, asked, `/proofs.json/${index}`));
}

function examineOrder(exam: Examination, bundles: readonly Bundle[]): void {
  bundles.forEach(({ manifest }, index) => {
    const before = bundles[index - 1]?.manifest;
    exam.expect("shape", before === undefined || before.stream_id < manifest.stream_id, {
      code: "malformed",
      path: `/proofs.json/${index}/manifest/stream_id`,
      message: "The bundles ascend by stream, and there is one for each.",
    });
  });
}

/**
 * Counts the events of the ranges; payloads of other events do not belong here. Returns the first and the last of those
 * counted.
 */
function examineContents(
  exam: Examination,
  { value, bulk, events }: Proof,
  asked: AskedEvents,
  path: string,
): ReceivedAt[] {
  const { manifest } = value as Bundle;
  const ends: ReceivedAt[] = [];
  exam.expect(CHECK, asked.hasStream(manifest.stream_id), {
    code: "export_mismatch",
    path,
    message: `The manifest names no range of ${manifest.stream_id}.`,
  });
  if (bulk !== undefined && asked.has(manifest.stream_id, bulk.fromSeqNo, bulk.fromSeqNo + bulk.count - 1)) {
    exam.looked(CHECK, bulk.count);
    return [bulk.firstTime, bulk.lastTime].map((received_at) => ({ received_at }));
  }
  examineContentsOutside(exam, value as Bundle, asked, path);
  for (const [record, entry] of events()) {
    const { seq_no, stream_event_id } = record;
    if (asked.has(manifest.stream_id, seq_no)) {
      exam.looked(CHECK);
      ends[Math.min(1, ends.length)] = record;
    } else
      exam.expect(CHECK, entry === undefined, {
        code: "export_mismatch",
        path: `${path}/payloads/${stream_event_id}`,
        seq_no,
        message: `Event ${seq_no} is in none of the ranges, and its payload is here.`,
      });
  }
  return ends;
}

/** Contents of other events than those asked for do not belong here, as their payloads do not. */
function examineContentsOutside(exam: Examination, bundle: Bundle, asked: AskedEvents, path: string): void {
  const { manifest, artifacts, contents = {} } = bundle;
  for (const { seq_no, stream_event_id } of artifacts["receipts.json"])
    exam.expect(CHECK, !Object.hasOwn(contents, stream_event_id) || asked.has(manifest.stream_id, seq_no), {
      code: "export_mismatch",
      path: `${path}/contents/${stream_event_id}`,
      seq_no,
      message: `Event ${seq_no} is in none of the ranges, and its content is here.`,
    });
}

/**
 * Checks that the expected range lies in the ranges asked for: bundles are wider than their ranges. Each bundle shows
 * that its stream is the expected one.
 */
export function examineExpectedRange(exam: Examination, asked: AskedEvents): void {
  const { expect = {} } = exam.trust;
  const { from_seq_no: from, to_seq_no: to } = expect;
  if (from === undefined && to === undefined) return;
  exam.looked("expectation");
  exam.expect(
    "expectation",
    [...asked.streams].every(([, ranges]) => ranges.some((range) => coversExpected(expect, range))),
    {
      code: "range_incomplete",
      path: "",
      message: "The ranges of the package do not cover the one that you expect.",
      expected: `${from ?? "any"} to ${to ?? "any"}`,
    },
  );
}
