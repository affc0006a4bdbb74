/**
 * `events.csv`: the events of a package as a table (protocol section 15, RFC 4180). The proofs alone decide its
 * content, so that a verifier makes it again and compares.
 */
import { encodeUtf8, parseUtf8 } from "../../encoding/utf8.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import type { Bundle } from "../bundle/schema.ts";
import type { RedactedRecord } from "../receipt.ts";
import type { AskedEvents } from "./asked.ts";
import type { Proof } from "./proof.ts";

const COLUMNS = [
  "stream_id",
  "seq_no",
  "stream_event_id",
  "event_type",
  "source_ref",
  "occurred_at",
  "received_at",
  "payload_hash",
  "event_hash",
] as const;
const HEADING = `"${[...COLUMNS, "payload"].join('","')}"\r\n`;
/** A field that begins so makes a spreadsheet compute. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Returns the first line of the table, as UTF-8 bytes (protocol section 15).
 *
 * @example
 * console.log(new TextDecoder().decode(eventsHeading()).startsWith('"stream_id","seq_no",')); // true
 */
export function eventsHeading(): Uint8Array {
  return encodeUtf8(HEADING);
}

/**
 * Returns the line of one event, as UTF-8 bytes (protocol section 15). `record`: its receipt record. `payloadText`:
 * J(payload), empty if the package does not hold the payload. It checks nothing.
 *
 * @example
 * console.log(new TextDecoder().decode(eventLine(receipt, "")).endsWith(',""\r\n')); // true
 */
export function eventLine(record: Pick<RedactedRecord, (typeof COLUMNS)[number]>, payloadText: string): Uint8Array {
  return encodeUtf8(textOf(record, payloadText));
}

/**
 * Yields the lines of the table as UTF-8 bytes, its heading first (protocol section 15): one for each event asked for
 * that is in the bundles, stream by stream. `asked`: the ranges of the manifest. `proofs`: the bundles, with their
 * events in order. It checks nothing.
 *
 * @example
 * const asked = new AskedEvents([{ stream_id: receipt.stream_id, from_seq_no: 1, to_seq_no: 2 }]);
 * const events = () => records.map((record) => [record, undefined] as const);
 * console.log([...eventLines(kernel, asked, [{ value: bundle, events }])].length); // 3
 */
export function* eventLines(kernel: Kernel, asked: AskedEvents, proofs: readonly Proof[]): Generator<Uint8Array> {
  for (const text of eventTexts(kernel, asked, proofs)) yield encodeUtf8(text);
}

/** Yields the same lines as texts. */
export function* eventTexts(kernel: Kernel, asked: AskedEvents, proofs: readonly Proof[]): Generator<string> {
  const byStream = new Map(proofs.map((proof) => [(proof.value as Bundle).manifest.stream_id, proof]));
  yield HEADING;
  for (const [streamId] of asked.streams) {
    for (const [record, payload = ""] of byStream.get(streamId)?.events() ?? [])
      if (asked.has(streamId, record.seq_no))
        yield textOf(
          record,
          typeof payload === "string" ? payload : (parseUtf8(kernel.canonicalize(payload.payload)) as string),
        );
  }
}

function textOf(record: Pick<RedactedRecord, (typeof COLUMNS)[number]>, payloadText: string): string {
  let line = '"';
  for (const name of COLUMNS) line += `${field(`${record[name]}`)}","`;
  return `${line}${field(payloadText)}"\r\n`;
}

function field(text: string): string {
  const quoted = text.includes('"') ? text.replace(/"/g, '""') : text;
  return FORMULA.test(text) ? `'${quoted}` : quoted;
}
