/**
 * An append request in canonical form, by which a repetition is recognised; and without its payloads, by which it is once one of them has been
 * erased. What is erased must not be left behind as something that guesses can be compared with.
 */
import type { Json, JsonObject } from "@svc/core";
import type { EventRow } from "./events-store.ts";
import type { PreparedEvent } from "./prepare-events.ts";

export const APPEND_ROUTE = "POST /v2/streams/{id}/events";
export const BATCH_ROUTE = "POST /v2/streams/{id}/events/batch";

/** J(body) of a request with these events, whose members are all that a body has. */
export function canonicalBody(isBatch: boolean, events: readonly PreparedEvent[]): string {
  const texts = events.map(({ input, payloadText }) => {
    const { event_type, occurred_at, source_ref } = input;
    const before = JSON.stringify({ event_type, occurred_at });
    return `${before.slice(0, -1)},"payload":${payloadText},"source_ref":${JSON.stringify(source_ref)}}`;
  });
  return isBatch ? `{"events":[${texts.join(",")}]}` : (texts[0] ?? "");
}

/** The outline of the body of a request. */
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
