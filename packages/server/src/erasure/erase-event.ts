/**
 * Erasure: payload and salt of an event are deleted for good, and with them the only way back from its payload hash;
 * every proof stays valid (protocol section 7). Erasure also reaches the answers to repeated requests, which are made
 * from the event, and the fingerprints that recognise those requests. The file of an archived payload is written anew
 * without it, soon after (archive/). Erasure does not reach copies that others already have, nor backups (README,
 * "Erasure").
 */

import type { JsonObject } from "@svc/core";
import type { RecordChange } from "@svc/host/administration";
import { serviceTime } from "@svc/host/clock";
import { ServiceError } from "@svc/host/errors";
import { failpoint } from "@svc/host/failpoint";
import { part } from "@svc/host/parts";
import type { Principal } from "@svc/host/principal";
import type { Reader, Writer } from "@svc/host/store";
import { noteErased } from "../archived/archived-store.ts";
import type { Context } from "../context.ts";
import { exportsChanged } from "../exports/built.ts";
import { withdrawPayload } from "../exports/delete-export.ts";
import { type Idempotency, idempotencyOf } from "../idempotency/idempotency.ts";
import { recordLifecycle } from "../lifecycle/lifecycle-stream.ts";
import { type EventRow, erasePayload, eventsOfRange, findEvent } from "../streams/events-store.ts";
import { recordOf } from "../streams/receipt-records.ts";
import { recorded } from "../streams/recorded.ts";
import { fingerprintOfEvents, targetOf } from "../streams/request-fingerprint.ts";
import { visibleStream } from "../streams/visible-stream.ts";
import { recordAccess } from "../tenancy/access-log-store.ts";
import { erased } from "./erased.ts";
import { findErasure, insertErasure } from "./erasures-store.ts";
import { eventErased } from "./events.ts";

/** The erasure of a deployment, as the routes call it. */
export const erasurePart = part("erasure", (context: Context) => new EraseEvent(context, idempotencyOf(context)));

/** A request to erase one payload. `reason`: recorded in the lifecycle stream. */
export interface ErasureRequest {
  readonly streamId: string;
  readonly eventId: string;
  readonly reason: string;
  readonly idempotencyKey: string;
}

/** Erases payloads. */
export class EraseEvent {
  readonly #context: Context;
  readonly #idempotency: Idempotency;

  constructor(context: Context, idempotency: Idempotency) {
    this.#context = context;
    this.#idempotency = idempotency;
  }

  /**
   * Erases the payload, once, and resolves to the record of its erasure. For an event that is already erased, that is
   * the first erasure. Rejects with the refusals of `visibleStream` and of Idempotency-Keys, with `receipt_not_found`
   * and `stream_class_closed`.
   */
  async erase(principal: Principal, request: ErasureRequest) {
    const { streamId, eventId, reason, idempotencyKey } = request;
    const repeatable = {
      principal,
      route: "POST /v2/streams/{id}/events/{id}/erase",
      key: idempotencyKey,
      target: `${streamId}/${eventId}`,
      body: { reason },
    };
    const { erasure, event } = await this.#context.administration.write(async (writer, record) => {
      const stream = await visibleStream(writer, principal, streamId);
      const event = await findEvent(writer, principal.tenantId, eventId);
      if (event === null || event.stream_id !== streamId)
        throw new ServiceError("receipt_not_found", `Stream ${streamId} has no event ${JSON.stringify(eventId)}.`);
      if (stream.class !== "legacy")
        throw new ServiceError(
          "stream_class_closed",
          `Stream ${streamId} is of class ${stream.class}: what the service records there stays as it is.`,
        );
      const isRepeated = (await this.#idempotency.replay(writer, repeatable)) !== null;
      const isNew = (await findErasure(writer, principal.tenantId, eventId)) === null;
      const lifecycleEvent = isNew ? await this.#erase(writer, record, principal, event, reason) : null;
      if (!isRepeated) {
        const made = { streamId, fromSeqNo: 0, toSeqNo: 0, result: null };
        await this.#idempotency.keep(writer, repeatable, made, serviceTime(this.#context.clock()));
      }
      return { erasure: await erasureOf(writer, principal, event), event: lifecycleEvent };
    });
    failpoint("erasure: committed");
    if (event !== null) {
      const { channel } = this.#context;
      // An older copy of the database still has the payload: the high-water mark hears of the erasure first.
      channel.publish(recorded, { last: event, isWindowFull: false });
      channel.publish(erased, eventId);
      channel.publish(exportsChanged, null);
    }
    return this.#answer(erasure);
  }

  async #erase(
    writer: Writer,
    record: RecordChange,
    principal: Principal,
    event: EventRow,
    reason: string,
  ): Promise<EventRow> {
    const { stream_event_id, stream_id, seq_no, event_hash } = event;
    const actor = { kind: principal.kind, id: principal.id };
    const payload: JsonObject = { stream_id, stream_event_id, seq_no, event_hash, reason, actor };
    const recorded = await recordLifecycle(writer, this.#context, principal, {
      type: eventErased,
      source_ref: stream_event_id,
      payload,
    });
    failpoint("erasure: recorded");
    await erasePayload(writer, principal.tenantId, stream_event_id);
    await noteErased(writer, stream_id, seq_no);
    await this.#idempotency.forgetPayloads(writer, event, async ({ route, fromSeqNo, toSeqNo }) => {
      const events = await eventsOfRange(writer, principal.tenantId, stream_id, fromSeqNo, toSeqNo);
      return { target: targetOf(route, stream_id), fingerprint: fingerprintOfEvents(route, events) };
    });
    await withdrawPayload(writer, principal, event, recorded.received_at, record);
    const row = {
      stream_event_id,
      lifecycle_event_id: recorded.stream_event_id,
      erased_at: recorded.received_at,
    };
    await insertErasure(writer, principal.tenantId, row);
    await recordAccess(writer, principal, "event.erased", stream_event_id, { stream_id, reason }, recorded.received_at);
    return recorded;
  }

  /** The event that records an erasure is never erased itself; it can be archived. */
  async #answer({ recorded, ...rest }: Awaited<ReturnType<typeof erasureOf>>) {
    const { archived, database } = this.#context;
    const [event = recorded] = await archived.restored<EventRow>(database, [recorded]);
    return { ...rest, lifecycle_record: recordOf(event, true) };
  }
}

async function erasureOf(reader: Reader, { tenantId }: Principal, { stream_id, stream_event_id, seq_no }: EventRow) {
  const found = await findErasure(reader, tenantId, stream_event_id);
  const recorded = found === null ? null : await findEvent(reader, tenantId, found.lifecycle_event_id);
  if (found === null || recorded === null)
    throw new Error(`the erasure of ${stream_event_id} is missing from the database`);
  return { stream_id, stream_event_id, seq_no, erased_at: found.erased_at, recorded };
}
