/** Changes that somebody could make to a bundle in a text editor, and the code that must betray each. */
import type { Bundle } from "@svc/sdk";

/** One way to tamper, and its expected outcome. */
export interface Tampering {
  /** File name without extension. */
  readonly name: string;
  readonly what: string;
  readonly code: string;
  /** Changes the bundle in place. */
  apply(bundle: Bundle): void;
}

/** The event to tamper with: somewhere in the middle of a window. */
const EVENT_NO = 413;

export const TAMPERINGS: readonly Tampering[] = [
  {
    name: "1-payload-digit",
    what: `one digit of the magnitude of event ${EVENT_NO}`,
    code: "payload_hash_mismatch",
    apply(bundle) {
      const properties = payloadOf(bundle, EVENT_NO).properties as { mag: number };
      properties.mag += 1;
    },
  },
  {
    name: "2-event-removed",
    what: `event ${EVENT_NO} taken out, with its payload`,
    code: "range_incomplete",
    apply(bundle) {
      const [removed] = bundle.artifacts["receipts.json"].splice(EVENT_NO - 1, 1);
      delete (bundle.payloads as Record<string, unknown>)[removed?.stream_event_id ?? ""];
    },
  },
  {
    name: "3-events-swapped",
    what: `events ${EVENT_NO} and ${EVENT_NO + 1} exchanged`,
    code: "sequence_broken",
    apply(bundle) {
      const records = bundle.artifacts["receipts.json"];
      const [record] = records.splice(EVENT_NO - 1, 1);
      if (record !== undefined) records.splice(EVENT_NO, 0, record);
    },
  },
  {
    name: "4-event-inserted",
    what: `a copy of event ${EVENT_NO} put in after it, under a new name`,
    code: "sequence_broken",
    apply(bundle) {
      const records = bundle.artifacts["receipts.json"];
      const record = structuredClone(records[EVENT_NO - 1]);
      if (record === undefined) return;
      record.stream_event_id = `${record.stream_event_id.slice(0, -1)}${record.stream_event_id.endsWith("0") ? "1" : "0"}`;
      records.splice(EVENT_NO, 0, record);
    },
  },
  {
    name: "5-witness-signature",
    what: "one bit of the witness's signature",
    code: "witness_signature_invalid",
    apply(bundle) {
      const statement = bundle.artifacts["witnesses.json"].statements.at(-1);
      if (statement === undefined) return;
      const flipped = (Number.parseInt(statement.signature.slice(0, 1), 16) ^ 1).toString(16);
      Object.assign(statement, { signature: flipped + statement.signature.slice(1) });
    },
  },
];

function payloadOf(bundle: Bundle, seqNo: number): Record<string, unknown> {
  const record = bundle.artifacts["receipts.json"][seqNo - 1];
  const entry = bundle.payloads?.[record?.stream_event_id ?? ""];
  if (entry === undefined) throw new Error(`the bundle holds no payload of event ${seqNo}`);
  return entry.payload as Record<string, unknown>;
}
