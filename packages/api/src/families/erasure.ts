/** The route that erases the payload of an event (system key, granted by name). */
import { atoms, schemas } from "@svc/core";
import Type from "typebox";
import { contract } from "../contract.ts";
import { MAX_BODY_BYTES, MAX_REASON_CHARACTERS } from "../limits.ts";

const ErasureBody = atoms.Closed({
  reason: Type.String({
    minLength: 1,
    maxLength: MAX_REASON_CHARACTERS,
    pattern: "\\S",
    description: "Why; it is recorded for good, so it names no person.",
  }),
});

/** An erasure, and the event of the tenant's lifecycle stream that records it. */
export const Erasure = atoms.Closed({
  stream_id: atoms.StreamId,
  stream_event_id: atoms.EventId,
  seq_no: atoms.Ordinal,
  erased_at: atoms.ServiceTime,
  lifecycle_record: schemas.ReceiptRecord,
});
export type Erasure = Type.Static<typeof Erasure>;

export const erase = contract({
  method: "POST",
  path: "/v2/streams/{streamId}/events/{eventId}/erase",
  chapter: "streams",
  summary: "Erases the payload of an event, for good.",
  description:
    "Payload and salt are gone; hashes, source_ref, event_type and times stay, and every proof stays valid. The erasure is an event of the tenant's lifecycle stream. An event that has been erased keeps its first erasure, which is the answer again.",
  access: "system",
  action: "erase",
  idempotencyKey: "optional",
  body: { schema: ErasureBody, maxBytes: MAX_BODY_BYTES },
  answer: { status: 200, description: "The erasure, with the record of the lifecycle event.", schema: Erasure },
  errors: ["stream_forbidden", "stream_not_found", "receipt_not_found", "stream_class_closed"],
});
