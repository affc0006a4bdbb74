/** The routes of the event log (system key). HTTP only: what they do stands in the files beside this one. */

import { MAX_BATCH_BODY_BYTES, MAX_BATCH_EVENTS, MAX_EVENT_BODY_BYTES } from "@svc/api/limits";
import { atoms, schemas } from "@svc/core";
import Type from "typebox";
import { PageOf, twiceNumberedPage } from "../http/pages.ts";
import { text, time } from "../http/parameters.ts";
import { json, type Route, route } from "../http/route.ts";
import type { Service } from "../open-service.ts";
import { PREFER, preferred, RECORDING_ERRORS, Records, requireFewEnough } from "../streams/append-contract.ts";
import type { PlacesOfBodies } from "../streams/places-of-bodies.ts";

/** A word of the source's own, as the type is. */
const Status = atoms.EventType;
const LogBody = atoms.Closed({
  type: atoms.EventType,
  status: Status,
  occurred_at: atoms.SourceTime,
  source_ref: atoms.SourceRef,
  payload: atoms.AnyObject,
});
const BatchBody = atoms.Closed({ events: Type.Array(LogBody, { minItems: 1, maxItems: MAX_BATCH_EVENTS }) });

const members = {
  stream_event_id: atoms.EventId,
  stream_id: atoms.StreamId,
  system_id: atoms.SystemId,
  seq_no: atoms.Ordinal,
  type: atoms.EventType,
  status: Type.Union([Status, Type.Null()], { description: "null where it has been erased, with the payload" }),
  source_ref: atoms.SourceRef,
  occurred_at: atoms.SourceTime,
  received_at: atoms.ServiceTime,
  event_hash: atoms.Hash,
};
const ListedEvent = atoms.Closed(members);
const WholeEvent = atoms.Closed({
  ...members,
  payload: Type.Optional(Type.Unsafe({ ...atoms.AnyObject, description: "missing where it has been erased" })),
});

const LOG_ERRORS = [...RECORDING_ERRORS, "legacy_stream_creation_disabled"] as const;
const FORM =
  "The record is one of the protocol, in the default stream of the key's system, which is made with its first event: its `event_type` is the type, and its payload is `{status, payload}`.";

export function logRoutes({ logEvents, readLog, readStream, readings }: Service, admit: PlacesOfBodies): Route[] {
  return [
    route({
      method: "POST",
      path: "/v1/sdk/events",
      chapter: "log",
      summary: "Records an event in the event log of the key's system.",
      description: `${FORM} The answer leaves when the event is on disk.`,
      access: "system",
      action: "append",
      idempotencyKey: "required",
      headers: PREFER,
      body: { schema: LogBody, maxBytes: MAX_EVENT_BODY_BYTES, admit },
      answer: { status: 201, description: "The receipt record.", schema: Records },
      errors: LOG_ERRORS,
      handle: async ({ principal, headers, body, value, bytes, idempotencyKey }) => {
        const request = { principal, events: [body], isBatch: false, idempotencyKey, body: value, bytes };
        const rows = await logEvents.log(request);
        return preferred(headers, (record) => rows.map(record).join(""));
      },
    }),
    route({
      method: "GET",
      path: "/v1/events/{eventId}/proof",
      chapter: "log",
      summary: "What proves an event by now, as a portable receipt.",
      description:
        "It verifies as soon as the event is recorded, and grows: first it is signed, then in a window, then under a checkpoint, then cosigned by the witnesses that its policy asks for. Of an event of any stream that the key may read.",
      access: "system",
      answer: { status: 200, description: "The portable receipt.", schema: schemas.PortableReceipt },
      errors: ["receipt_not_found", "stream_forbidden"],
      handle: async ({ principal, path: { eventId }, asker, used }) => {
        await readStream.receipt(principal, eventId);
        const { tenantId } = principal;
        return { text: await readings.text(asker, "portableReceipt", { tenantId, eventId, whole: false }, used) };
      },
    }),
    route({
      method: "POST",
      path: "/v1/sdk/events/batch",
      chapter: "log",
      summary: "Records several events in the event log, all of them or none.",
      description: `${FORM} A refusal names the place of the event in the request, counted from 0, as \`index\`.`,
      access: "system",
      action: "append",
      idempotencyKey: "required",
      headers: PREFER,
      body: { schema: BatchBody, maxBytes: MAX_BATCH_BODY_BYTES, admit, precheck: requireFewEnough },
      answer: {
        status: 201,
        description: "The receipt records, in the order of the request.",
        schema: atoms.Closed({ receipts: Type.Array(Records) }),
      },
      errors: LOG_ERRORS,
      handle: async ({ principal, headers, body: { events }, value, bytes, idempotencyKey }) => {
        const request = { principal, events, isBatch: true, idempotencyKey, body: value, bytes };
        const rows = await logEvents.log(request);
        return preferred(headers, (record) => `{"receipts":[${rows.map(record).join(",")}]}`);
      },
    }),
    route({
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
      answer: { status: 200, description: "A page of events.", schema: PageOf(ListedEvent) },
      errors: ["system_forbidden"],
      handle: async ({ principal, query: { limit, cursor, type, status, ...query } }) => {
        const { source_ref: sourceRef, system_id: systemId } = query;
        const { occurred_from: occurredFrom, occurred_before: occurredBefore } = query;
        const filter = { type, status, sourceRef, systemId, occurredFrom, occurredBefore };
        return json(await readLog.events(principal, filter, { limit, after: cursor }));
      },
    }),
    route({
      method: "GET",
      path: "/v1/events/{eventId}",
      chapter: "log",
      summary: "An event of the log, with its payload as it was sent.",
      access: "system",
      answer: { status: 200, description: "The event.", schema: WholeEvent },
      errors: ["receipt_not_found", "stream_forbidden"],
      handle: async ({ principal, path }) => json(await readLog.event(principal, path.eventId)),
    }),
  ];
}
