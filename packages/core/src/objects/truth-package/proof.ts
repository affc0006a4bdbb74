/** A bundle of a package (protocol section 15): a value, and its events one after the other. */
import type { Json } from "../../kernel/kernel.ts";
import type { BulkReceipts } from "../bundle/bulk.ts";
import type { Bundle, PayloadEntry } from "../bundle/schema.ts";
import type { RedactedRecord } from "../receipt.ts";

/** An event of a bundle, with its payload if that is there: its entry, or J(payload). */
export type ShownEvent = readonly [RedactedRecord, PayloadEntry | string | undefined];

/** A value that should be a bundle, and its events, which may be read only once the value has the shape of one. */
export interface Proof {
  /** Without receipts and payloads if they were checked in bulk. */
  readonly value: Json;
  readonly bulk?: BulkReceipts;
  readonly events: () => Iterable<ShownEvent>;
}

/** Returns the proof of a value in memory. */
export function proofOf(value: Json): Proof {
  return {
    value,
    *events() {
      const { artifacts, payloads = {} } = value as Bundle;
      for (const record of artifacts["receipts.json"]) {
        const { stream_event_id } = record;
        yield [record, Object.hasOwn(payloads, stream_event_id) ? payloads[stream_event_id] : undefined];
      }
    },
  };
}
