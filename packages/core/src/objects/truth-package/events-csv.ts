/**
 * `events.csv`: the events of a package as a table (protocol section 15, RFC 4180). It is made of the proofs alone, so that a verifier makes
 * it again and compares.
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
export function* eventLines(kernel: Kernel, asked: AskedEvents, proofs: readonly Proof[]): Generator<Uint8Array> {
  const byStream = new Map(proofs.map((proof) => [(proof.value as Bundle).manifest.stream_id, proof]));
  yield eventsHeading();
  for (const [streamId] of asked.streams) {
    for (const [record, entry] of byStream.get(streamId)?.events() ?? [])
      if (asked.has(streamId, record.seq_no))
        yield eventLine(record, entry === undefined ? "" : (parseUtf8(kernel.canonicalize(entry.payload)) ?? ""));
  }
}

function line(fields: readonly string[]): Uint8Array {
  return encodeUtf8(`${fields.map(field).join(",")}\r\n`);
}

function field(text: string): string {
  const guarded = FORMULA.test(text) ? `'${text}` : text;
  return `"${guarded.replaceAll('"', '""')}"`;
}
