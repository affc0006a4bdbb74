/** A bundle of a package as what a package shows by it (protocol section 15): a value, and its events one after the other. */
import type { Json } from "../../kernel/kernel.ts";
import type { BulkReceipts } from "../bundle/bulk.ts";
import type { Bundle, PayloadEntry } from "../bundle/schema.ts";
import type { RedactedRecord } from "../receipt.ts";

/** An event of a bundle, with its payload where that is there. */
export type ShownEvent = readonly [RedactedRecord, PayloadEntry | undefined];

/** What should be a bundle, and its events, which are only asked for once it has the shape of one. */
export interface Proof {
  /** Without receipts and payloads where they were checked in bulk. */
  readonly value: Json;
  readonly bulk?: BulkReceipts;
  readonly events: () => Iterable<ShownEvent>;
}

/** A proof that is in memory as a value. */
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
