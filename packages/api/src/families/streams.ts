/** The routes of streams, events and receipts (system key). */
import { atoms, schemas } from "@svc/core";
import Type from "typebox";
import { contract, OF_ARCHIVE } from "../contract.ts";
import {
  MAX_BATCH_BODY_BYTES,
  MAX_BATCH_EVENTS,
  MAX_BODY_BYTES,
  MAX_EVENT_BODY_BYTES,
  MAX_METADATA_NAME_CHARACTERS,
  MAX_METADATA_PAIRS,
  MAX_METADATA_VALUE_CHARACTERS,
  MAX_USE_CASE_CHARACTERS,
} from "../limits.ts";
import { namedPage, numberedPage, PageOf } from "../pages.ts";
import { choice, flag, idempotencyKey as keyParameter, ordinal, text } from "../parameters.ts";
import { LARGE_EVENT_BODIES, PREFER, RECORDING_ERRORS, Records } from "./appending.ts";

const STREAM_CLASSES = ["legacy", "provenance", "lifecycle"] as const;
const Metadata = Type.Unsafe<Readonly<Record<string, string>>>({
  type: "object",
  maxProperties: MAX_METADATA_PAIRS,
  propertyNames: { minLength: 1, maxLength: MAX_METADATA_NAME_CHARACTERS },
  additionalProperties: { type: "string", maxLength: MAX_METADATA_VALUE_CHARACTERS },
});

/**
 * The settings of a new stream.
 *
 * ```json
 * {
 *   "system_id": "sys_01m83pvj2xf03hr5y8yyztc73d", "use_case": "loans", "policy_id": "default",
 *   "metadata": { "region": "eu" }
 * }
 * ```
 */
export const StreamBody = atoms.Closed({
  system_id: Type.String(),
  use_case: Type.String({
    format: "source-ref",
    maxLength: MAX_USE_CASE_CHARACTERS,
    description: `1 to ${MAX_USE_CASE_CHARACTERS} Unicode characters, no control characters`,
  }),
  policy_id: atoms.Slug,
  metadata: Metadata,
});
export type StreamBody = Type.Static<typeof StreamBody>;

/**
 * An event for a stream.
 *
 * ```json
 * {
 *   "source_ref": "loan-1001", "event_type": "loan.decided", "occurred_at": "2026-03-01T09:30:00+01:00",
 *   "payload": { "amount": 12500, "approved": true }
 * }
 * ```
 */
export const EventBody = atoms.Closed({
  source_ref: atoms.SourceRef,
  event_type: atoms.EventType,
  occurred_at: atoms.SourceTime,
  payload: atoms.AnyObject,
});
export type EventBody = Type.Static<typeof EventBody>;

const BatchBody = atoms.Closed({ events: Type.Array(EventBody, { minItems: 1, maxItems: MAX_BATCH_EVENTS }) });

/**
 * A new stream.
 *
 * ```json
 * {
 *   "stream_id": "str_01m83pvjb9dgqtbk125jrgxpxv", "class": "legacy", "system_id": "sys_01m83pvj2xf03hr5y8yyztc73d",
 *   "use_case": "loans", "policy_id": "default", "metadata": { "region": "eu" }, "created": true,
 *   "created_at": "2026-11-23T08:02:45.225Z"
 * }
 * ```
 */
export const StreamInfo = atoms.Closed({
  stream_id: atoms.StreamId,
  class: atoms.OneOf("legacy"),
  system_id: atoms.SystemId,
  use_case: Type.String(),
  policy_id: atoms.Slug,
  metadata: Metadata,
  created: Type.Boolean(),
  created_at: atoms.ServiceTime,
  /** The service's advice against a stream of this class; missing without advice. */
  compatibilityWarning: Type.Optional(
    Type.String({ description: "that new integrations should use provenance streams, where the deployment has them" }),
  ),
});
export type StreamInfo = Type.Static<typeof StreamInfo>;

/**
 * A stream in a list.
 *
 * ```json
 * {
 *   "stream_id": "str_01m83pvjb9dgqtbk125jrgxpxv", "class": "legacy", "system_id": "sys_01m83pvj2xf03hr5y8yyztc73d",
 *   "use_case": "loans", "policy_id": "default", "metadata": { "region": "eu" },
 *   "created_at": "2026-11-23T08:02:45.225Z", "closed_at": null, "head_seq_no": 2
 * }
 * ```
 */
export const ListedStream = atoms.Closed({
  stream_id: atoms.StreamId,
  class: atoms.OneOf(...STREAM_CLASSES),
  /** Null for a lifecycle stream: it belongs to the tenant. */
  system_id: Type.Union([atoms.SystemId, Type.Null()]),
  use_case: Type.String(),
  policy_id: atoms.Slug,
  metadata: Metadata,
  created_at: atoms.ServiceTime,
  /** When it stopped taking events for good; null for an open stream. */
  closed_at: Type.Union([atoms.ServiceTime, Type.Null()]),
  /** The number of its newest event; 0 without events. */
  head_seq_no: Type.Integer({ minimum: 0 }),
});
export type ListedStream = Type.Static<typeof ListedStream>;

/**
 * The newest event of a stream, with everything that its receipt signs.
 *
 * ```json
 * {
 *   "stream_id": "str_01m83pvjb9dgqtbk125jrgxpxv", "stream_event_id": "sev_01m83pvjebh65r78db8tc2s3n8", "seq_no": 2,
 *   "event_hash": "fd17091bb2fb650091b8f138fc6a50df451312f3878c1b8d1e4bacf80b1ecfe7",
 *   "previous_event_hash": "13b1379f606faa8181dd98cd6de69273687d1b653291931e16c66774788f54c9",
 *   "stream_head_hash": "d175dff81bcdd6e83024be1c4ea1080eb9742aca190e969fb202a878632c9e88",
 *   "receipt": {
 *     "protocol": "SVC-PROOFSTREAM-001", "alg": "Ed25519", "kid": "ed25519-8b7577ba7c31a547",
 *     "signature": "694905f3d517753715939e13e4db66912abf771811e4b0a9de636d8c81347aa081d6db29632634b253a4be30f05cde58745fdeaade64fb4053c5be124da12102"
 *   }
 * }
 * ```
 */
export const StreamHead = atoms.Closed({
  stream_id: atoms.StreamId,
  stream_event_id: atoms.EventId,
  seq_no: atoms.Ordinal,
  event_hash: atoms.Hash,
  previous_event_hash: atoms.Hash,
  stream_head_hash: atoms.Hash,
  receipt: schemas.Seal,
});
export type StreamHead = Type.Static<typeof StreamHead>;

const IF_HEAD_MATCH = {
  "If-Head-Match": {
    description:
      "The stream_head_hash that the stream must have, 64 zeros for a stream without events; otherwise nothing " +
      "is recorded. A repeated request gets its first answer whatever the head is by then.",
    form: { pattern: "^[0-9a-f]{64}$", words: "64 lowercase hex characters" },
  },
};

const AFTER_KEY = {
  after_key: keyParameter(
    "the Idempotency-Key of the request to this route that must have been recorded in the stream before; " +
      "otherwise nothing is recorded. So a request can be sent while the one before it is on its way, and the " +
      "order is kept. A repeated request gets its first answer",
  ),
};

const NOT_YOURS = ["stream_forbidden", "stream_not_found"] as const;
const APPEND_ERRORS = [
  ...NOT_YOURS,
  ...RECORDING_ERRORS,
  "stream_class_closed",
  "event_log_stream",
  "sequence_conflict",
  "predecessor_missing",
] as const;

export const create = contract({
  method: "POST",
  path: "/v2/streams",
  chapter: "streams",
  summary: "Makes a stream of class legacy.",
  access: "system",
  action: "create_stream",
  idempotencyKey: "optional",
  body: { schema: StreamBody, maxBytes: MAX_BODY_BYTES },
  answer: { status: 201, description: "The stream.", schema: StreamInfo },
  errors: ["system_forbidden", "legacy_stream_creation_disabled"],
});

export const append = contract({
  method: "POST",
  path: "/v2/streams/{streamId}/events",
  chapter: "streams",
  summary: "Records an event.",
  description:
    "The answer leaves when the event is on disk. It holds payload and salt, so that it verifies by itself once " +
    "it is saved.",
  access: "system",
  action: "append",
  idempotencyKey: "required",
  query: AFTER_KEY,
  headers: { ...IF_HEAD_MATCH, ...PREFER },
  body: { schema: EventBody, maxBytes: MAX_EVENT_BODY_BYTES, large: LARGE_EVENT_BODIES },
  answer: { status: 201, description: "The receipt record.", schema: Records },
  errors: APPEND_ERRORS,
});

export const appendBatch = contract({
  method: "POST",
  path: "/v2/streams/{streamId}/events/batch",
  chapter: "streams",
  summary: "Records several events, all of them or none.",
  description: "A refusal names the place of the event in the request, counted from 0, as `index`.",
  access: "system",
  action: "append",
  idempotencyKey: "required",
  query: AFTER_KEY,
  headers: { ...IF_HEAD_MATCH, ...PREFER },
  body: { schema: BatchBody, maxBytes: MAX_BATCH_BODY_BYTES, large: LARGE_EVENT_BODIES },
  answer: {
    status: 201,
    description: "The receipt records, in the order of the request.",
    schema: atoms.Closed({ receipts: Type.Array(Records) }),
  },
  errors: APPEND_ERRORS,
});

export const list = contract({
  method: "GET",
  path: "/v2/streams",
  chapter: "streams",
  summary:
    "The streams of the key's system and the lifecycle stream of its tenant, in the order in which they were made.",
  access: "system",
  query: {
    ...namedPage,
    use_case: text("only streams that record this"),
    class: choice(STREAM_CLASSES, "only streams of this class"),
  },
  answer: { status: 200, description: "A page of streams.", schema: PageOf(ListedStream) },
});

export const events = contract({
  method: "GET",
  path: "/v2/streams/{streamId}/events",
  chapter: "streams",
  summary: "The events of a stream as receipt records, without payloads and salts, in order.",
  access: "system",
  query: {
    ...numberedPage,
    event_type: text("only events of this type"),
    source_ref: text("only events with this reference"),
    from_seq_no: ordinal("only events of this number and later"),
  },
  answer: { status: 200, description: "A page of records.", schema: PageOf(schemas.RedactedRecord) },
  errors: NOT_YOURS,
});

export const head = contract({
  method: "GET",
  path: "/v2/streams/{streamId}/head",
  chapter: "streams",
  summary: "The head of a stream, with its receipt.",
  access: "system",
  answer: { status: 200, description: "The head, with all that its receipt signs.", schema: StreamHead },
  errors: [...NOT_YOURS, "stream_empty"],
});

export const receipt = contract({
  method: "GET",
  path: "/v2/receipts/{eventId}",
  chapter: "streams",
  summary: "A receipt record, with payload and salt.",
  access: "system",
  answer: {
    status: 200,
    description: "The receipt record; without payload and salt where they have been erased. Or the portable receipt.",
    schema: Type.Union([schemas.ReceiptRecord, schemas.RedactedRecord, schemas.PortableReceipt]),
  },
  query: { portable: flag("the portable receipt, which proves the event by itself, in place of the record") },
  errors: ["receipt_not_found", "stream_forbidden", "evidence_missing", ...OF_ARCHIVE],
});

export const tlogProof = contract({
  method: "GET",
  path: "/v2/receipts/{eventId}/tlog-proof",
  chapter: "streams",
  summary: "An event as a C2SP tlog-proof, for verifiers of transparency logs.",
  description: "The portable receipt, up to the event's window, travels in its extra data.",
  access: "system",
  answer: { status: 200, description: "The proof.", schema: Type.String(), mediaType: "text/plain" },
  errors: ["receipt_not_found", "stream_forbidden", "evidence_missing", ...OF_ARCHIVE],
});
