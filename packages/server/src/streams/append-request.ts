/** Requests to append, as they are grouped, and as they are recognised when they are repeated. */
import type { Principal } from "@svc/host/principal";
import type { Writer } from "@svc/host/store";
import type { RepeatableRequest } from "../idempotency/idempotency.ts";
import type { AppendRoute } from "./append-route.ts";
import { type EventRow, eventsOfRange } from "./events-store.ts";
import { placeRow } from "./issue-event.ts";
import type { PreparedEvent } from "./prepare-events.ts";
import { canonicalBody, fingerprintOfEvents, routeName, targetOf } from "./request-fingerprint.ts";
import type { StreamName } from "./streams-store.ts";

/** A checked request to append, prepared (appending.ts): data alone, which crosses between threads. */
export interface PreparedRequest extends AppendRoute {
  readonly principal: Principal;
  readonly streamId: string;
  readonly events: readonly PreparedEvent[];
  readonly idempotencyKey: string;
  /** The required head of the stream (64 lowercase hex characters; zeros for an empty stream); null for any. */
  readonly headMatch: string | null;
  /** The Idempotency-Key of a request to the same route that must have been recorded in the stream; null for none. */
  readonly afterKey: string | null;
  /** The keyed hash of its route, target and body. Two requests under one key must have the same. */
  readonly hash: string;
}

/** Rows of the caller that are committed with its events, and only with them. Both can be called again. */
export interface AlongWithEvents {
  /** Checks what the caller's own rows demand, before the events are placed. A rejection refuses this request alone. */
  admit(writer: Writer): Promise<void>;
  /** Stores the caller's rows behind the events' own. A rejection undoes the whole group, as that of a store does. */
  store(writer: Writer, events: readonly EventRow[]): Promise<void>;
}

/** A request, with the names of everything that it is compared with. */
export interface AskedRequest {
  readonly request: PreparedRequest;
  readonly along: AlongWithEvents | null;
  readonly stream: StreamName;
  /** The name of its stream, by `nameOf`. */
  readonly streamName: string;
  readonly repeatable: RepeatableRequest;
  /** The request that must have been recorded in the stream before; null for none. */
  readonly before: RepeatableRequest | null;
}

/** Returns the request with its names. */
export function asAsked(request: PreparedRequest, along: AlongWithEvents | null = null): AskedRequest {
  const { principal, streamId, afterKey } = request;
  const stream = { tenantId: principal.tenantId, streamId };
  const repeatable = repeatableOf(request);
  const before = afterKey === null ? null : { ...repeatable, key: afterKey };
  return { request, along, stream, streamName: nameOf(stream), repeatable, before };
}

/** Returns a name that no other stream of any tenant has. */
export function nameOf({ tenantId, streamId }: StreamName): string {
  return `${tenantId} ${streamId}`;
}

function repeatableOf(request: PreparedRequest): RepeatableRequest {
  const { principal, idempotencyKey, streamId, events, hash, isBatch } = request;
  const route = routeName(request);
  return {
    principal,
    route,
    key: idempotencyKey,
    target: targetOf(route, streamId),
    body: null,
    hash,
    canonicalBody: () => canonicalBody(isBatch, events),
    fingerprint: () => fingerprintOfEvents(route, events),
    hasPayloadsOf: async (reader, made) => {
      const rows = await eventsOfRange(reader, principal.tenantId, made.streamId, made.fromSeqNo, made.toSeqNo);
      // The event's hash covers the salted hash of its payload, so comparing it compares the payloads.
      const isOf = ({ payload_salt, ...row }: EventRow, index: number) => {
        const event = events[index];
        if (event === undefined || payload_salt === null) return event !== undefined;
        return placeRow(event, { ...placeOf(row), payload_salt }, event.payloadText).event_hash === row.event_hash;
      };
      return rows.length === events.length && rows.every(isOf);
    },
  };
}

function placeOf({
  stream_id,
  stream_event_id,
  seq_no,
  previous_event_hash,
  received_at,
}: Omit<EventRow, "payload_salt">) {
  return { stream_id, stream_event_id, seq_no, previous_event_hash, received_at };
}
