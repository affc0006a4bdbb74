/**
 * The texts under which append requests are remembered: their route, the target in its path, and their events in
 * canonical form. Once a payload has been erased, the payloads are left out, because nothing may remain with which
 * guesses can be compared. Requests without payloads are compared by the other members of their events.
 */
import type { Json } from "@svc/core";
import type { AppendRoute } from "./append-route.ts";
import type { DescribedEvent } from "./prepare-events.ts";

/** The routes to a stream that the path names, and to the event log of the asking system. */
const ROUTES = {
  stream: { single: "POST /v2/streams/{id}/events", batch: "POST /v2/streams/{id}/events/batch" },
  log: { single: "POST /v1/sdk/events", batch: "POST /v1/sdk/events/batch" },
} as const;

/** Returns method and path template. */
export function routeName({ isBatch, isLog = false }: AppendRoute): string {
  return ROUTES[isLog ? "log" : "stream"][isBatch ? "batch" : "single"];
}

/** Returns the target that a route's path names, by the route's name; empty for the event log. */
export function targetOf(route: string, streamId: string): string {
  return Object.values<string>(ROUTES.log).includes(route) ? "" : streamId;
}

/** The members of an event that its request sent. */
interface SentEvent extends DescribedEvent {
  /** J(payload). */
  readonly payloadText: string;
}

/** Returns whether a route, by its name, takes several events. */
export function isBatchRoute(route: string): boolean {
  return Object.values(ROUTES).some(({ batch }) => batch === route);
}

/** Returns J(body) of a request with these events. A body has no other members. */
export function canonicalBody(isBatch: boolean, events: readonly SentEvent[]): string {
  const texts = events.map(({ event_type, occurred_at, source_ref, payloadText }) => {
    const before = JSON.stringify({ event_type, occurred_at });
    return `${before.slice(0, -1)},"payload":${payloadText},"source_ref":${JSON.stringify(source_ref)}}`;
  });
  return isBatch ? `{"events":[${texts.join(",")}]}` : (texts[0] ?? "");
}

/** Returns the fingerprint of a request to one of the routes, from its events or those that it made, in order. */
export function fingerprintOfEvents(route: string, events: readonly DescribedEvent[]): Json {
  const fingerprints = events.map(({ source_ref, event_type, occurred_at }) => ({
    source_ref,
    event_type,
    occurred_at,
  }));
  return isBatchRoute(route) ? { events: fingerprints } : (fingerprints[0] ?? null);
}
