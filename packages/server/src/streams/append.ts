/**
 * Appending: events become receipts, in the order of arrival, all of a request or none (protocol section 7). The answer exists only
 * after the commit is on disk. A request that repeats an Idempotency-Key gets the first answer, made again from the events.
 */
import { type EventInput, headHash, type Json, type Kernel, ZERO_HASH } from "@svc/core";
import { ServiceError } from "../errors.ts";
import type { Foundation } from "../foundation.ts";
import type { Idempotency, RepeatableRequest } from "../idempotency/idempotency.ts";
import type { Writer } from "../store/database.ts";
import type { Principal } from "../tenancy/principal.ts";
import { appendEvents } from "./append-events.ts";
import { type EventRow, eventsOfRange } from "./events-store.ts";
import { type PreparedEvent, prepareEvents } from "./prepare-events.ts";
import { APPEND_ROUTE, BATCH_ROUTE, outlineOfBody } from "./request-outline.ts";
import type { StreamRow } from "./streams-store.ts";
import { visibleStream } from "./visible-stream.ts";

export interface AppendRequest {
  readonly principal: Principal;
  readonly streamId: string;
  readonly events: readonly EventInput[];
  readonly isBatch: boolean;
  readonly idempotencyKey: string;
  /** The stream's head must be this one (64 lowercase hex characters; zeros for an empty stream); null for any. */
  readonly headMatch: string | null;
  /** The whole parsed body: what makes two requests the same one. */
  readonly body: Json;
  /** The body as it was sent. */
  readonly bytes: Uint8Array;
}

export class Append {
  readonly #ground: Foundation;
  readonly #idempotency: Idempotency;
  readonly #onAppended: (events: readonly EventRow[]) => void;

  /** `onAppended` is called with the new events after each commit, in the order of commits; without any for a repeated request. */
  constructor(ground: Foundation, idempotency: Idempotency, onAppended: (events: readonly EventRow[]) => void) {
    this.#ground = ground;
    this.#idempotency = idempotency;
    this.#onAppended = onAppended;
  }

  /** The event rows of the request, whether made now or by an earlier request with the same key. */
  async append(request: AppendRequest): Promise<EventRow[]> {
    const { kernel, database } = this.#ground;
    const events = prepareEvents(kernel, request.events, request);
    const { rows, added } = await database.write(async (writer) => {
      const stream = await visibleStream(writer, request.principal, request.streamId);
      const made = await this.#idempotency.madeBefore(writer, repeatable(request));
      if (made === null) {
        const added = await this.#append(writer, stream, request, events);
        return { rows: added, added };
      }
      const { tenantId } = request.principal;
      return { rows: await eventsOfRange(writer, tenantId, made.streamId, made.fromSeqNo, made.toSeqNo), added: [] };
    });
    this.#onAppended(added);
    return rows;
  }

  async #append(
    writer: Writer,
    stream: StreamRow,
    request: AppendRequest,
    events: readonly PreparedEvent[],
  ): Promise<EventRow[]> {
    if (stream.class !== "legacy")
      throw new ServiceError(
        "stream_class_closed",
        `Stream ${stream.stream_id} is of class ${stream.class}, which takes no events through this route. Append to a stream of class legacy.`,
      );
    requireHeadMatch(this.#ground.kernel, stream, request.headMatch);
    const rows = await appendEvents(writer, this.#ground, stream, events, request.principal);
    const toSeqNo = stream.head_seq_no + rows.length;
    const made = { streamId: stream.stream_id, fromSeqNo: stream.head_seq_no + 1, toSeqNo, result: null };
    await this.#idempotency.keep(writer, repeatable(request), made, rows[0]?.received_at ?? "");
    return rows;
  }
}

function requireHeadMatch(kernel: Kernel, stream: StreamRow, wanted: string | null): void {
  if (wanted === null) return;
  const { stream_id, head_seq_no, head_event_hash } = stream;
  const head = head_seq_no === 0 ? ZERO_HASH : headHash(kernel, stream_id, head_seq_no, head_event_hash);
  if (head === wanted) return;
  throw new ServiceError(
    "sequence_conflict",
    `The head of ${stream_id} is event ${head_seq_no} by now. Read GET /v2/streams/{id}/head, and decide again whether to append.`,
    { stream_id, seq_no: head_seq_no, stream_head_hash: head },
  );
}

function repeatable({ principal, isBatch, idempotencyKey, streamId, body }: AppendRequest): RepeatableRequest {
  const route = isBatch ? BATCH_ROUTE : APPEND_ROUTE;
  return { principal, route, key: idempotencyKey, target: streamId, body, outline: () => outlineOfBody(body) };
}
