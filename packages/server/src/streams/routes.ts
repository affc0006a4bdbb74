/** The routes of streams, events and receipts (system key). HTTP only: what they do stands in the files beside this one. */
import { atoms, type Json } from "@svc/core";
import { Router } from "express";
import Type from "typebox";
import { ServiceError } from "../errors.ts";
import { readJson } from "../http/body.ts";
import { onlyMethods } from "../http/methods.ts";
import { authenticate, idempotencyKey, pathPart } from "../http/requests.ts";
import { sendJson, sendText } from "../http/responses.ts";
import { shape } from "../http/shapes.ts";
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
import type { Service } from "../open-service.ts";
import { recordText } from "./receipt-records.ts";

const StreamBody = atoms.Closed({
  system_id: Type.String(),
  use_case: Type.String({ minLength: 1, maxLength: MAX_USE_CASE_CHARACTERS }),
  policy_id: atoms.Slug,
  metadata: Type.Unsafe<Record<string, string>>({
    type: "object",
    maxProperties: MAX_METADATA_PAIRS,
    propertyNames: { minLength: 1, maxLength: MAX_METADATA_NAME_CHARACTERS },
    additionalProperties: { type: "string", maxLength: MAX_METADATA_VALUE_CHARACTERS },
  }),
});
const EventBody = atoms.Closed({
  source_ref: atoms.SourceRef,
  event_type: atoms.EventType,
  occurred_at: atoms.SourceTime,
  payload: atoms.AnyObject,
});
const BatchBody = atoms.Closed({ events: Type.Array(EventBody, { minItems: 1, maxItems: MAX_BATCH_EVENTS }) });

export function streamRoutes({ ground, systemKeys, createStream, append, readStream }: Service): Router {
  const { kernel } = ground;
  const streamBody = shape(StreamBody);
  const eventBody = shape(EventBody);
  const batchBody = shape(BatchBody);
  const routes = Router();

  routes
    .route("/v2/streams")
    .post(async (request, response) => {
      const principal = await authenticate(request, systemKeys);
      const { value } = await readJson(request, kernel, MAX_BODY_BYTES);
      sendJson(response, 201, await createStream.create(principal, streamBody(value)));
    })
    .all(onlyMethods("POST"));

  routes
    .route("/v2/streams/:streamId/events")
    .post(async (request, response) => {
      const principal = await authenticate(request, systemKeys);
      const key = idempotencyKey(request);
      const { value } = await readJson(request, kernel, MAX_EVENT_BODY_BYTES);
      const events = [eventBody(value)];
      const streamId = pathPart(request, "streamId");
      const rows = await append.append({
        principal,
        streamId,
        events,
        isBatch: false,
        idempotencyKey: key,
        body: value,
      });
      sendText(response, 201, rows.map(recordText).join(""));
    })
    .all(onlyMethods("POST"));

  routes
    .route("/v2/streams/:streamId/events/batch")
    .post(async (request, response) => {
      const principal = await authenticate(request, systemKeys);
      const key = idempotencyKey(request);
      const { value } = await readJson(request, kernel, MAX_BATCH_BODY_BYTES);
      requireFewEnough(value);
      const { events } = batchBody(value);
      const streamId = pathPart(request, "streamId");
      const rows = await append.append({
        principal,
        streamId,
        events,
        isBatch: true,
        idempotencyKey: key,
        body: value,
      });
      sendText(response, 201, `{"receipts":[${rows.map(recordText).join(",")}]}`);
    })
    .all(onlyMethods("POST"));

  routes
    .route("/v2/streams/:streamId/head")
    .get(async (request, response) => {
      const principal = await authenticate(request, systemKeys);
      sendJson(response, 200, await readStream.head(principal, pathPart(request, "streamId")));
    })
    .all(onlyMethods("GET"));

  routes
    .route("/v2/streams/:streamId/proof-state")
    .get(async (request, response) => {
      const principal = await authenticate(request, systemKeys);
      sendJson(response, 200, await readStream.proofState(principal, pathPart(request, "streamId")));
    })
    .all(onlyMethods("GET"));

  routes
    .route("/v2/receipts/:eventId")
    .get(async (request, response) => {
      const principal = await authenticate(request, systemKeys);
      sendText(response, 200, recordText(await readStream.receipt(principal, pathPart(request, "eventId"))));
    })
    .all(onlyMethods("GET"));

  return routes;
}

/** Counts before the shape is checked, which would list the problems of every single event. */
function requireFewEnough(value: Json): void {
  const events: unknown = (value as { readonly events?: unknown } | null)?.events;
  if (!Array.isArray(events) || events.length <= MAX_BATCH_EVENTS) return;
  throw new ServiceError(
    "invalid_request",
    `/events has ${events.length} events, and one request at most ${MAX_BATCH_EVENTS}. Send several requests.`,
    { problems: [{ path: "/events", message: `must not have more than ${MAX_BATCH_EVENTS} items` }] },
  );
}
