/**
 * How requests that append are kept: by their route, what its path names, and their events in canonical form; without the payloads once one of
 * them has been erased, since nothing may be left behind that guesses can be compared with. Those that are left are compared by their events.
 */
import type { Json, JsonObject } from "@svc/core";
import type { EventRow } from "./events-store.ts";
import type { PreparedEvent } from "./prepare-events.ts";

/** To a stream that the path names, or to the event log of whoever asks. */
const ROUTES = {
  stream: { single: "POST /v2/streams/{id}/events", batch: "POST /v2/streams/{id}/events/batch" },
  log: { single: "POST /v1/sdk/events", batch: "POST /v1/sdk/events/batch" },
} as const;

/** By which routes a request came. */
export interface AppendRoute {
  readonly isBatch: boolean;
  /** Set for a request to the event log. */
  readonly isLog?: boolean;
}

/** Method and path template. */
export function routeName({ isBatch, isLog = false }: AppendRoute): string {
  return ROUTES[isLog ? "log" : "stream"][isBatch ? "batch" : "single"];
}

/** What the path of a route names, by the route's name. */
export function targetOf(route: string, streamId: string): string {
  return Object.values<string>(ROUTES.log).includes(route) ? "" : streamId;
}

/** What a request says of an event. */
interface SentEvent extends Pick<PreparedEvent, "payloadText"> {
  readonly input: Pick<PreparedEvent["input"], "event_type" | "occurred_at" | "source_ref">;
}

/** Whether a route, by its name, takes several events. */
export function isBatchRoute(route: string): boolean {
  return Object.values(ROUTES).some(({ batch }) => batch === route);
}

/** J(body) of a request with these events, whose members are all that a body has. */
export function canonicalBody(isBatch: boolean, events: readonly SentEvent[]): string {
  const texts = events.map(({ input, payloadText }) => {
    const { event_type, occurred_at, source_ref } = input;
    const before = JSON.stringify({ event_type, occurred_at });
    return `${before.slice(0, -1)},"payload":${payloadText},"source_ref":${JSON.stringify(source_ref)}}`;
  });
  return isBatch ? `{"events":[${texts.join(",")}]}` : (texts[0] ?? "");
}

/** The fingerprint of the body of a request. */
export function fingerprintOfBody(body: Json): Json {
  const { events } = body as { readonly events?: readonly JsonObject[] };
  return events === undefined ? fingerprintOf(body as JsonObject) : { events: events.map(fingerprintOf) };
}

/** Of the events that a request to one of the routes has made, in order. */
export function fingerprintOfEvents(route: string, events: readonly EventRow[]): Json {
  const fingerprints = events.map(({ source_ref, event_type, occurred_at }) =>
    fingerprintOf({ source_ref, event_type, occurred_at }),
  );
  return isBatchRoute(route) ? { events: fingerprints } : (fingerprints[0] ?? null);
}

/** The log has another word for the type. */
function fingerprintOf({ source_ref = null, event_type = null, type = event_type, occurred_at = null }: JsonObject) {
  return { source_ref, event_type: type, occurred_at };
}
