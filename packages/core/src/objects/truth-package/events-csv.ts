/**
 * `events.csv`: the events of a package as a table (protocol section 15, RFC 4180). It is made of the proofs alone, so that a verifier makes
 * it again and compares.
 */
import { encodeUtf8, parseUtf8 } from "../../encoding/utf8.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import type { Bundle, PayloadEntry } from "../bundle/schema.ts";
import type { RedactedRecord } from "../receipt.ts";
import type { AskedEvents } from "./asked.ts";

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
/** What makes a spreadsheet compute with a field. */
const FORMULA = /^[=+\-@\t\r]/;

/** The first line of the table, as UTF-8 bytes. */
export function eventsHeading(): Uint8Array {
  return line([...COLUMNS, "payload"]);
}

/** The line of one event. `payloadText`: J(payload), empty where the package has no payload of it. */
export function eventLine(record: Pick<RedactedRecord, (typeof COLUMNS)[number]>, payloadText: string): Uint8Array {
  return line([...COLUMNS.map((name) => `${record[name]}`), payloadText]);
}

/** The lines of the table, its heading first: one for each event asked for that is in the bundles, stream by stream. */
export function* eventLines(kernel: Kernel, asked: AskedEvents, bundles: readonly Bundle[]): Generator<Uint8Array> {
  const byStream = new Map(bundles.map((bundle) => [bundle.manifest.stream_id, bundle]));
  yield eventsHeading();
  for (const [streamId] of asked.streams) {
    const bundle = byStream.get(streamId);
    if (bundle === undefined) continue;
    for (const record of bundle.artifacts["receipts.json"]) {
      if (!asked.has(streamId, record.seq_no)) continue;
      const payload = payloadOf(bundle, record)?.payload;
      yield eventLine(record, payload === undefined ? "" : (parseUtf8(kernel.canonicalize(payload)) ?? ""));
    }
  }
}

function payloadOf({ payloads = {} }: Bundle, { stream_event_id }: RedactedRecord): PayloadEntry | undefined {
  return Object.hasOwn(payloads, stream_event_id) ? payloads[stream_event_id] : undefined;
}

function line(fields: readonly string[]): Uint8Array {
  return encodeUtf8(`${fields.map(field).join(",")}\r\n`);
}

function field(text: string): string {
  const guarded = FORMULA.test(text) ? `'${text}` : text;
  return `"${guarded.replaceAll('"', '""')}"`;
}
