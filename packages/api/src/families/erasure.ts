/** The route that erases the payload of an event (system key, granted by name). */
import { atoms, schemas } from "@svc/core";
import Type from "typebox";
import { contract, OF_ARCHIVE } from "../contract.ts";
import { MAX_BODY_BYTES, MAX_REASON_CHARACTERS } from "../limits.ts";

const ErasureBody = atoms.Closed({
  reason: Type.String({
    minLength: 1,
    maxLength: MAX_REASON_CHARACTERS,
    pattern: "\\S",
    description: "Why; it is recorded for good, so it names no person.",
  }),
});

/**
 * An erasure, and the event of the tenant's lifecycle stream that records it.
 *
 * ```json
 * {
 *   "stream_id": "str_01m83pvjb9dgqtbk125jrgxpxv", "stream_event_id": "sev_01m83pvjd0pvgjdwj272ytb3na", "seq_no": 1,
 *   "erased_at": "2026-11-23T08:02:46.005Z",
 *   "lifecycle_record": {
 *     "stream_event_id": "sev_01m83pvk3nx1asqd2vfsww91wr", "stream_id": "str_01m83pvjr45k3z068vjq8864d6",
 *     "seq_no": 4, "source_ref": "sev_01m83pvjd0pvgjdwj272ytb3na", "event_type": "event.erased",
 *     "occurred_at": "2026-11-23T08:02:46.005Z", "received_at": "2026-11-23T08:02:46.005Z",
 *     "payload_hash": "bee758d3dca1631dafc1d4d22b46a4624e93e48e066d4e325954084e5e170240",
 *     "previous_event_hash": "370155667f700a91f0e73e15ff0802c5ca1e861a94bbaaac05f195f55d38ea82",
 *     "event_hash": "4cf0f58fe4fa4b3d2df20cdba615a52d48eb5b330b3ffdbf6945575a4ba9ad53",
 *     "stream_head_hash": "a6a3c342387a8829b9336327c3170839c9d7f4d9572943857367cd0944e86513",
 *     "receipt": {
 *       "protocol": "SVC-PROOFSTREAM-001", "alg": "Ed25519", "kid": "ed25519-8b7577ba7c31a547",
 *       "signature": "a0322d44f79bc18d749cbcd74ab9a6790d7eff6e89cc1e322d22027206a115fc5498d17ae9408eced83022c199972607c71390ffdfd0382154dc0dc56952d20e"
 *     },
 *     "payload": {
 *       "actor": { "id": "sys_01m83pvj2xf03hr5y8yyztc73d", "kind": "system" },
 *       "event_hash": "13b1379f606faa8181dd98cd6de69273687d1b653291931e16c66774788f54c9",
 *       "reason": "the retention period is over", "seq_no": 1, "stream_event_id": "sev_01m83pvjd0pvgjdwj272ytb3na",
 *       "stream_id": "str_01m83pvjb9dgqtbk125jrgxpxv"
 *     },
 *     "payload_salt": "623f586f8dd842632e77865ebfae8b36"
 *   }
 * }
 * ```
 */
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
    "Payload and salt are gone; hashes, source_ref, event_type and times stay, and every proof stays valid. The " +
    "erasure is an event of the tenant's lifecycle stream. An event that has been erased keeps its first " +
    "erasure, which is the answer again.",
  access: "system",
  action: "erase",
  idempotencyKey: "optional",
  body: { schema: ErasureBody, maxBytes: MAX_BODY_BYTES },
  answer: { status: 200, description: "The erasure, with the record of the lifecycle event.", schema: Erasure },
  errors: ["stream_forbidden", "stream_not_found", "receipt_not_found", "stream_class_closed", ...OF_ARCHIVE],
});
