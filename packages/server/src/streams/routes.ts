/** The routes of streams and their events (system key). HTTP only: the other files of this folder do the work. */
import { streams as contracts } from "@svc/api";
import { bind, json, type Route } from "@svc/host/http";
import type { Remote } from "@svc/host/parts";
import { preferred, requireFewEnough } from "./append-answers.ts";
import type { Appending } from "./appending.ts";
import type { CreateStream } from "./create-stream.ts";
import type { ReadStream } from "./read-stream.ts";

/** The capabilities that the routes call. */
export interface StreamCapabilities {
  readonly createStream: Remote<CreateStream>;
  readonly appending: Appending;
  readonly readStream: ReadStream;
}

/** Returns the routes of streams. */
export function streamRoutes({ createStream, appending, readStream }: StreamCapabilities): Route[] {
  const room = () => appending.room();
  return [
    bind(contracts.create, async ({ principal, body, idempotencyKey }) =>
      json(await createStream.create(principal, body, idempotencyKey)),
    ),
    bind(
      contracts.append,
      async ({ principal, path, query, headers, body, bytes, idempotencyKey }) => {
        const request = {
          principal,
          streamId: path.streamId,
          events: [body],
          isBatch: false,
          idempotencyKey,
          headMatch: headers["If-Head-Match"],
          afterKey: query.after_key,
          bytes,
        };
        return preferred(headers, (form) => appending.records(request, form));
      },
      { isDirect: true, room },
    ),
    bind(
      contracts.appendBatch,
      async ({ principal, path, query, headers, body: { events }, bytes, idempotencyKey }) => {
        const request = {
          principal,
          streamId: path.streamId,
          events,
          isBatch: true,
          idempotencyKey,
          headMatch: headers["If-Head-Match"],
          afterKey: query.after_key,
          bytes,
        };
        return preferred(headers, async (form) => `{"receipts":[${await appending.records(request, form)}]}`);
      },
      { precheck: requireFewEnough, isDirect: true, room },
    ),
    bind(contracts.list, async ({ principal, query: { limit, cursor, use_case, class: streamClass } }) =>
      json(await readStream.streams(principal, { useCase: use_case, streamClass }, { limit, after: cursor })),
    ),
    bind(
      contracts.events,
      async ({ principal, path, query: { limit, cursor, event_type, source_ref, from_seq_no } }) => {
        const filter = { eventType: event_type, sourceRef: source_ref, fromSeqNo: from_seq_no };
        return json(await readStream.events(principal, path.streamId, filter, { limit, after: cursor }));
      },
    ),
    bind(contracts.head, async ({ principal, path }) => json(await readStream.head(principal, path.streamId))),
  ];
}
