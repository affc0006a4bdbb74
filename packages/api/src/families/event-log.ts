/** The routes of the event log (system key). */
import { atoms, type JsonObject, schemas } from "@svc/core";
import Type from "typebox";
import { contract, OF_ARCHIVE } from "../contract.ts";
import { MAX_BATCH_BODY_BYTES, MAX_BATCH_EVENTS, MAX_EVENT_BODY_BYTES } from "../limits.ts";
import { PageOf, twiceNumberedPage } from "../pages.ts";
import { text, time } from "../parameters.ts";
import { LARGE_EVENT_BODIES, PREFER, RECORDING_ERRORS, Records } from "./appending.ts";

/** A word of the source's own, in the form of a type. */
const Status = atoms.EventType;

/**
 * An event for the log.
 *
 * ```json
 * {
 *   "type": "loan.decided", "status": "approved", "occurred_at": "2026-03-01T09:30:00+01:00",
 *   "source_ref": "loan-1001", "payload": { "amount": 12500 }
 * }
 * ```
 */
export const LogInput = atoms.Closed({
  /** 1 to 128 of A-Z a-z 0-9 . _ : / -, a letter or digit first. */
  type: atoms.EventType,
  /** A word that you choose, in the form of a type. */
  status: Status,
  /** RFC 3339, with `Z` or an offset. */
  occurred_at: atoms.SourceTime,
  source_ref: atoms.SourceRef,
  payload: atoms.AnyObject,
});
export type LogInput = Type.Static<typeof LogInput>;

const BatchBody = atoms.Closed({ events: Type.Array(LogInput, { minItems: 1, maxItems: MAX_BATCH_EVENTS }) });

const members = {
  stream_event_id: atoms.EventId,
  stream_id: atoms.StreamId,
  system_id: atoms.SystemId,
  seq_no: atoms.Ordinal,
  /** 1 to 128 of A-Z a-z 0-9 . _ : / -, a letter or digit first. */
  type: atoms.EventType,
  /** Null if it has been erased, with the payload. */
  status: Type.Union([Status, Type.Null()], { description: "null where it has been erased, with the payload" }),
  source_ref: atoms.SourceRef,
  /** RFC 3339, with `Z` or an offset. */
  occurred_at: atoms.SourceTime,
  received_at: atoms.ServiceTime,
  event_hash: atoms.Hash,
};

/**
 * An event as lists show it, without its payload.
 *
 * ```json
 * {
 *   "stream_event_id": "sev_01m83pvjerjx9ng4vdhh59ank0", "stream_id": "str_01m83pvjeqf6sj4rvhebr4yxbg",
 *   "system_id": "sys_01m83pvj2xf03hr5y8yyztc73d", "seq_no": 1, "type": "loan.decided", "status": "approved",
 *   "source_ref": "loan-1001", "occurred_at": "2026-03-01T09:30:00+01:00", "received_at": "2026-11-23T08:02:45.336Z",
 *   "event_hash": "1c7c9c565168cb996ef89e6621262f2dff1d0d03ac23ba8ca574804583f5ea06"
 * }
 * ```
 */
export const LoggedEvent = atoms.Closed(members);
export type LoggedEvent = Type.Static<typeof LoggedEvent>;

/**
 * An event with its payload; the payload is missing if it has been erased.
 *
 * ```json
 * {
 *   "stream_event_id": "sev_01m83pvjerjx9ng4vdhh59ank0", "stream_id": "str_01m83pvjeqf6sj4rvhebr4yxbg",
 *   "system_id": "sys_01m83pvj2xf03hr5y8yyztc73d", "seq_no": 1, "type": "loan.decided", "status": "approved",
 *   "source_ref": "loan-1001", "occurred_at": "2026-03-01T09:30:00+01:00", "received_at": "2026-11-23T08:02:45.336Z",
 *   "event_hash": "1c7c9c565168cb996ef89e6621262f2dff1d0d03ac23ba8ca574804583f5ea06", "payload": { "amount": 12500 }
 * }
 * ```
 */
export const WholeLoggedEvent = atoms.Closed({
  ...members,
  payload: Type.Optional(
    Type.Unsafe<JsonObject>({ ...atoms.AnyObject, description: "missing where it has been erased" }),
  ),
});
export type WholeLoggedEvent = Type.Static<typeof WholeLoggedEvent>;

const LOG_ERRORS = [...RECORDING_ERRORS, "legacy_stream_creation_disabled"] as const;
const FORM =
  "The record is one of the protocol, in the default stream of the key's system, which is made with its first " +
  "event: its `event_type` is the type, and its payload is `{status, payload}`.";

export const append = contract({
  method: "POST",
  path: "/v1/sdk/events",
  chapter: "log",
  summary: "Records an event in the event log of the key's system.",
  description: `${FORM} The answer leaves when the event is on disk.`,
  access: "system",
  action: "append",
  idempotencyKey: "required",
  headers: PREFER,
  body: { schema: LogInput, maxBytes: MAX_EVENT_BODY_BYTES, large: LARGE_EVENT_BODIES },
  answer: { status: 201, description: "The receipt record.", schema: Records },
  errors: LOG_ERRORS,
});

export const proof = contract({
  method: "GET",
  path: "/v1/events/{eventId}/proof",
  chapter: "log",
  summary: "What proves an event by now, as a portable receipt.",
  description:
    "It verifies as soon as the event is recorded, and grows: first it is signed, then in a window, then under a " +
    "checkpoint, then cosigned by the witnesses that its policy asks for. Of an event of any stream that the key " +
    "may read.",
  access: "system",
  answer: { status: 200, description: "The portable receipt.", schema: schemas.PortableReceipt },
  errors: ["receipt_not_found", "stream_forbidden", ...OF_ARCHIVE],
});

export const appendBatch = contract({
  method: "POST",
  path: "/v1/sdk/events/batch",
  chapter: "log",
  summary: "Records several events in the event log, all of them or none.",
  description: `${FORM} A refusal names the place of the event in the request, counted from 0, as \`index\`.`,
  access: "system",
  action: "append",
  idempotencyKey: "required",
  headers: PREFER,
  body: { schema: BatchBody, maxBytes: MAX_BATCH_BODY_BYTES, large: LARGE_EVENT_BODIES },
  answer: {
    status: 201,
    description: "The receipt records, in the order of the request.",
    schema: atoms.Closed({ receipts: Type.Array(Records) }),
  },
  errors: LOG_ERRORS,
});

export const list = contract({
  method: "GET",
  path: "/v1/events",
  chapter: "log",
  summary: "The events of the log, without payloads, in the order in which they were recorded.",
  access: "system",
  query: {
    ...twiceNumberedPage,
    type: text("only events of this type"),
    status: text("only events with this status"),
    source_ref: text("only events with this reference"),
    system_id: text("only events of this system, which must be the key's own"),
    occurred_from: time("only events that occurred at this time or later"),
    occurred_before: time("only events that occurred earlier than this time"),
  },
  answer: { status: 200, description: "A page of events.", schema: PageOf(LoggedEvent) },
  errors: ["system_forbidden"],
});

export const event = contract({
  method: "GET",
  path: "/v1/events/{eventId}",
  chapter: "log",
  summary: "An event of the log, with its payload as it was sent.",
  access: "system",
  answer: { status: 200, description: "The event.", schema: WholeLoggedEvent },
  errors: ["receipt_not_found", "stream_forbidden", ...OF_ARCHIVE],
});
