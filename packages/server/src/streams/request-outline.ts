/**
 * An append request without its payloads: by what a repetition is recognised once a payload of it has been erased. What is erased must not be
 * left behind as something that guesses can be compared with.
 */
import type { Json, JsonObject } from "@svc/core";
import type { EventRow } from "./events-store.ts";

export const APPEND_ROUTE = "POST /v2/streams/{id}/events";
export const BATCH_ROUTE = "POST /v2/streams/{id}/events/batch";

/** Of the body of a request. */
export function outlineOfBody(body: Json): Json {
  const { events } = body as { readonly events?: readonly JsonObject[] };
  return events === undefined ? outlineOf(body as JsonObject) : { events: events.map(outlineOf) };
}

/** Of the events that a request to one of the two routes has made, in order. */
export function outlineOfEvents(route: string, events: readonly EventRow[]): Json {
  const outlines = events.map(({ source_ref, event_type, occurred_at }) =>
    outlineOf({ source_ref, event_type, occurred_at }),
  );
  return route === BATCH_ROUTE ? { events: outlines } : (outlines[0] ?? null);
}

function outlineOf({ source_ref = null, event_type = null, occurred_at = null }: JsonObject): JsonObject {
  return { source_ref, event_type, occurred_at };
}
