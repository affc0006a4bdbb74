/**
 * Appending: events become receipts, in the order of arrival, all of a request or none (protocol section 7). The answer exists only
 * after the commit is on disk. A request that repeats an Idempotency-Key gets the first answer, made again from the events.
 */
import { randomBytes } from "node:crypto";
import { type EventInput, headHash, issueReceipt, type Json, type Kernel, ZERO_HASH } from "@svc/core";
import { latest, serviceTime } from "../clock.ts";
import { ServiceError } from "../errors.ts";
import type { Foundation } from "../foundation.ts";
import { newId } from "../ids.ts";
import { equalHashes } from "../keys/keyed-hash.ts";
import { WriteConflict, type Writer } from "../store/database.ts";
import type { Principal } from "../tenancy/principal.ts";
import { newestPolicy } from "../witnesses/policies-store.ts";
import { type EventRow, eventsOfRange, insertEvent } from "./events-store.ts";
import {
  findIdempotencyRecord,
  type IdempotencyRow,
  type IdempotencyScope,
  insertIdempotencyRecord,
} from "./idempotency-store.ts";
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
  readonly #onAppended: () => void;

  /** `onAppended` is called after each commit, so that the sealer can look. */
  constructor(ground: Foundation, onAppended: () => void) {
    this.#ground = ground;
    this.#onAppended = onAppended;
  }

  /** The event rows of the request, whether made now or by an earlier request with the same key. */
  async append(request: AppendRequest): Promise<EventRow[]> {
    const { kernel, keyedHash, database } = this.#ground;
    const events = prepareEvents(kernel, request.events, request.isBatch);
    const scope = scopeOf(request);
    const requestMac = keyedHash.hash("request", kernel.canonicalize([scope.route, request.streamId, request.body]));
    const rows = await database.write(async (writer) => {
      const stream = await visibleStream(writer, request.principal, request.streamId);
      const used = await findIdempotencyRecord(writer, scope);
      if (used !== null) return repeat(writer, request, used, requestMac);
      return this.#append(writer, stream, request, events, { scope, requestMac });
    });
    this.#onAppended();
    return rows;
  }

  async #append(
    writer: Writer,
    stream: StreamRow,
    request: AppendRequest,
    events: readonly PreparedEvent[],
    { scope, requestMac }: { readonly scope: IdempotencyScope; readonly requestMac: string },
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
    const record = {
      request_mac: requestMac,
      stream_id: stream.stream_id,
      from_seq_no: stream.head_seq_no + 1,
      to_seq_no: toSeqNo,
    };
    if ((await insertIdempotencyRecord(writer, scope, record, now)) === 0)
      throw new WriteConflict("the Idempotency-Key");
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

function scopeOf({ principal, isBatch, idempotencyKey }: AppendRequest): IdempotencyScope {
  const route = isBatch ? "POST /v2/streams/{id}/events/batch" : "POST /v2/streams/{id}/events";
  return { tenantId: principal.tenantId, principalId: principal.id, route, key: idempotencyKey };
}

function repeat(
  writer: Writer,
  { principal, idempotencyKey }: AppendRequest,
  used: IdempotencyRow,
  requestMac: string,
): Promise<EventRow[]> {
  if (!equalHashes(used.request_mac, requestMac))
    throw new ServiceError(
      "idempotency_conflict",
      `The Idempotency-Key ${JSON.stringify(idempotencyKey)} has been used with another request. Repeat that request unchanged, or use a new key for a new event.`,
      { stream_id: used.stream_id, from_seq_no: used.from_seq_no, to_seq_no: used.to_seq_no },
    );
  return eventsOfRange(writer, principal.tenantId, used.stream_id, used.from_seq_no, used.to_seq_no);
}
