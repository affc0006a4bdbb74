/**
 * Appending: events become receipts, in the order of arrival, all of a request or none (protocol section 7). The answer exists only
 * after the commit is on disk. A request that repeats an Idempotency-Key gets the first answer, made again from the events.
 */
import { randomBytes } from "node:crypto";
import { type EventInput, headHash, issueReceipt, type Json, type Kernel, ZERO_HASH } from "@svc/core";
import { latest, serviceTime } from "../clock.ts";
import { ServiceError } from "../errors.ts";
import type { Foundation } from "../foundation.ts";
import type { Idempotency, RepeatableRequest } from "../idempotency/idempotency.ts";
import { newId } from "../ids.ts";
import type { Writer } from "../store/database.ts";
import type { Principal } from "../tenancy/principal.ts";
import { newestPolicy } from "../witnesses/policies-store.ts";
import { type EventRow, eventsOfRange, insertEvent } from "./events-store.ts";
import { type PreparedEvent, prepareEvents } from "./prepare-events.ts";
import { rowOf } from "./receipt-records.ts";
import { requireKnownHead } from "./require-chain.ts";
import { moveHead, type StreamRow } from "./streams-store.ts";
import { visibleStream } from "./visible-stream.ts";

const SALT_BYTES = 16;

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
}

export class Append {
  readonly #ground: Foundation;
  readonly #idempotency: Idempotency;
  readonly #onAppended: (recorded: number) => void;

  /** `onAppended` is called after each commit with the number of new events: 0 for a repeated request. */
  constructor(ground: Foundation, idempotency: Idempotency, onAppended: (recorded: number) => void) {
    this.#ground = ground;
    this.#idempotency = idempotency;
    this.#onAppended = onAppended;
  }

  /** The event rows of the request, whether made now or by an earlier request with the same key. */
  async append(request: AppendRequest): Promise<EventRow[]> {
    const { kernel, database } = this.#ground;
    const events = prepareEvents(kernel, request.events, request.isBatch);
    const { rows, recorded } = await database.write(async (writer) => {
      const stream = await visibleStream(writer, request.principal, request.streamId);
      const made = await this.#idempotency.madeBefore(writer, repeatable(request));
      if (made === null) return { rows: await this.#append(writer, stream, request, events), recorded: events.length };
      const { tenantId } = request.principal;
      return { rows: await eventsOfRange(writer, tenantId, made.streamId, made.fromSeqNo, made.toSeqNo), recorded: 0 };
    });
    this.#onAppended(recorded);
    return rows;
  }

  async #append(
    writer: Writer,
    stream: StreamRow,
    request: AppendRequest,
    events: readonly PreparedEvent[],
  ): Promise<EventRow[]> {
    if (stream.class !== "legacy")
      throw new ServiceError("stream_class_closed", `Stream ${stream.stream_id} is of class ${stream.class}.`);
    const { kernel, signer, clock } = this.#ground;
    requireHeadMatch(this.#ground.kernel, stream, request.headMatch);
    await requireKnownHead(writer, stream);
    const policy = await newestPolicy(writer, stream.policy_id);
    // Never before what the stream stands on, even where the clock has been set back since.
    const now = latest(
      serviceTime(clock()),
      stream.last_received_at,
      stream.created_at,
      policy?.witnessPolicy.declared_at,
    );
    const rows: EventRow[] = [];
    let previous = stream.head_event_hash;
    for (const event of events) {
      const record = await issueReceipt(kernel, signer, event.input, {
        stream_id: stream.stream_id,
        stream_event_id: newId("sev"),
        seq_no: stream.head_seq_no + rows.length + 1,
        previous_event_hash: previous,
        received_at: now,
        payload_salt: randomBytes(SALT_BYTES).toString("hex"),
      });
      const row = rowOf(record, event.payloadText);
      await insertEvent(writer, row, {
        tenantId: stream.tenant_id,
        actor: request.principal,
        occurredAtUtc: event.occurredAtUtc,
        sourceTimezone: stream.source_timezone,
      });
      rows.push(row);
      previous = record.event_hash;
    }
    const toSeqNo = stream.head_seq_no + rows.length;
    await moveHead(writer, stream, { seqNo: toSeqNo, eventHash: previous, receivedAt: now, firstReceivedAt: now });
    const made = { streamId: stream.stream_id, fromSeqNo: stream.head_seq_no + 1, toSeqNo, result: null };
    await this.#idempotency.keep(writer, repeatable(request), made, now);
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
  const route = isBatch ? "POST /v2/streams/{id}/events/batch" : "POST /v2/streams/{id}/events";
  return { principal, route, key: idempotencyKey, target: streamId, body };
}
