/**
 * Checks whether events i to j are all in the bundle, none missing and none added: windows tile the range, their events
 * give their roots, and nothing is outside (protocol sections 8 and 14).
 */
import { hexToBytes } from "../../encoding/hex.ts";
import type { Examination } from "../../report/examination.ts";
import type { RedactedRecord } from "../receipt.ts";
import { examineLeaves, examineWindowPlace, type Window } from "../window.ts";
import type { Manifest } from "./schema.ts";

const DISORDER = "repeated, overlapping or out of order";

/** The places of records, and their hashes. */
export interface RecordPlaces {
  readonly count: number;
  /** The sequence number of the record at an index. */
  readonly seqNo: (index: number) => number;
  /** Its event hash; 32 bytes. */
  readonly eventHash: (index: number) => Uint8Array;
}

/** Returns the places of records. */
export function placesOf(records: readonly RedactedRecord[]): RecordPlaces {
  return {
    count: records.length,
    seqNo: (index) => records[index]?.seq_no ?? 0,
    eventHash: (index) => hexToBytes(`${records[index]?.event_hash}`),
  };
}

/** Recomputes each window's root from the bundle's own records of its range. */
export function examineWindowRoots(exam: Examination, windows: readonly Window[], records: RecordPlaces): void {
  let at = 0;
  windows.forEach((window, index) => {
    const hashes: Uint8Array[] = [];
    while (at < records.count && records.seqNo(at) <= window.to_seq_no) hashes.push(records.eventHash(at++));
    examineLeaves(exam, window, hashes, `/artifacts/windows.json/${index}/window_root`);
  });
}

/** Checks that windows are numbered without gap from the prior count, and tile the manifest's range. */
export function examineWindowTiling(exam: Examination, manifest: Manifest, windows: readonly Window[]): void {
  const check = "window_tiling";
  windows.forEach((window, index) => {
    const path = `/artifacts/windows.json/${index}`;
    const previous = windows[index - 1];
    const dueNo = previous === undefined ? manifest.prior_windows.window_count + 1 : previous.window_no + 1;
    const dueFrom = previous === undefined ? manifest.from_seq_no : previous.to_seq_no + 1;
    exam.looked(check);
    exam.expect(check, window.stream_id === manifest.stream_id, {
      code: "stream_mismatch",
      path: `${path}/stream_id`,
      message: `Window ${window.window_no} is of another stream.`,
      expected: manifest.stream_id,
      actual: window.stream_id,
    });
    examineWindowPlace(exam, check, window, path);
    expectNext(exam, check, dueNo, window.window_no, `${path}/window_no`, "window");
    expectNext(exam, check, dueFrom, window.from_seq_no, `${path}/from_seq_no`, "event");
  });
}

/** Checks that records and windows start and end at the range of the manifest. */
export function examineCompleteness(
  exam: Examination,
  manifest: Manifest,
  windows: readonly Window[],
  records: RecordPlaces,
): void {
  const check = "completeness";
  const { from_seq_no, to_seq_no } = manifest;
  exam.looked(check, records.count);
  if (records.count === 0 || windows.length === 0) {
    const what = windows.length === 0 ? "windows" : "events";
    exam.reject(check, {
      code: "range_incomplete",
      path: `/artifacts/${windows.length === 0 ? "windows.json" : "receipts.json"}`,
      message: `The bundle holds no ${what}, and states a range from ${from_seq_no} to ${to_seq_no}.`,
    });
    return;
  }
  expectNext(exam, check, from_seq_no, records.seqNo(0), "/artifacts/receipts.json/0/seq_no", "event");
  const ends = [
    {
      no: records.seqNo(records.count - 1),
      path: `/artifacts/receipts.json/${records.count - 1}/seq_no`,
      // The path leads nowhere for records that were checked in bulk.
      seq_no: records.seqNo(records.count - 1),
      what: "events",
    },
    {
      no: windows.at(-1)?.to_seq_no ?? 0,
      path: `/artifacts/windows.json/${windows.length - 1}/to_seq_no`,
      what: "windows",
    },
  ];
  for (const { no, what, ...at } of ends) {
    if (no === to_seq_no) continue;
    const short = no < to_seq_no;
    exam.reject(check, {
      code: short ? "range_incomplete" : "sequence_broken",
      ...at,
      message: short
        ? `The ${what} end at event ${no}, and the range at event ${to_seq_no}: events ${no + 1} to ${to_seq_no} ` +
          `are missing.`
        : `The ${what} go on to event ${no}, past the end of the range at event ${to_seq_no}.`,
      expected: `${to_seq_no}`,
      actual: `${no}`,
    });
  }
}

/** A number past the expected one is a gap; one before it is a repeat, an overlap or a wrong order. */
function expectNext(
  exam: Examination,
  check: "window_tiling" | "completeness",
  due: number,
  actual: number,
  path: string,
  what: "window" | "event",
): void {
  if (actual === due) return;
  const missing = actual - 1 === due ? `${what} ${due} is missing` : `${what}s ${due} to ${actual - 1} are missing`;
  exam.reject(check, {
    code: actual > due ? "range_incomplete" : "sequence_broken",
    path,
    ...(check === "completeness" && { seq_no: actual }),
    message: `Expected ${what} ${due}, found ${what} ${actual}: ${actual > due ? missing : DISORDER}.`,
    expected: `${due}`,
    actual: `${actual}`,
  });
}
