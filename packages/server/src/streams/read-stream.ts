/** Reads streams: their heads, their events and stored receipts. */
import type { PageRequest } from "@svc/api";
import { ServiceError } from "@svc/host/errors";
import { pageOf } from "@svc/host/http/pages";
import type { Principal } from "@svc/host/principal";
import type { AnsweringContext } from "../context.ts";
import { type EventFilter, type EventRow, eventsAfter, eventsOfRange, findEvent } from "./events-store.ts";
import { hiddenUseCases } from "./purposes.ts";
import { recordOf } from "./receipt-records.ts";
import { metadataOf, type StreamFilter, streamsOfSystem } from "./streams-store.ts";
import { requireAssigned, visibleStream } from "./visible-stream.ts";

/**
 * Reads streams for principals. Each method rejects with `stream_forbidden` for a stream that the principal's key may
 * not see.
 */
export class ReadStream {
  readonly #database: AnsweringContext["database"];
  readonly #kernel: AnsweringContext["kernel"];

  constructor({ database, kernel }: Pick<AnsweringContext, "database" | "kernel">) {
    this.#database = database;
    this.#kernel = kernel;
  }

  /**
   * Resolves to the head with every member that its receipt signs, so that it can be verified without the event.
   * Rejects with `stream_not_found` and `stream_empty`.
   */
  head(principal: Principal, streamId: string) {
    return this.#database.read(async (reader) => {
      const { head_seq_no } = await visibleStream(reader, principal, streamId);
      const [row] = await eventsOfRange(reader, principal.tenantId, streamId, head_seq_no, head_seq_no);
      if (row === undefined)
        throw new ServiceError(
          "stream_empty",
          `Stream ${streamId} has no event yet, so it has no head. Append one first.`,
        );
      const { stream_id, stream_event_id, seq_no, event_hash, previous_event_hash, stream_head_hash, receipt } =
        recordOf(row, false);
      return { stream_id, stream_event_id, seq_no, event_hash, previous_event_hash, stream_head_hash, receipt };
    });
  }

  /**
   * Resolves to a page of the streams of the principal's own system and the lifecycle streams of its tenant, as far as
   * its key is not limited to others, in the order in which they were made.
   */
  streams(principal: Principal, { useCase, streamClass }: StreamFilter, page: PageRequest<string>) {
    return this.#database.read(async (reader) => {
      const system = { tenantId: principal.tenantId, systemId: principal.id };
      const only = principal.limits?.streams ?? null;
      const asked = {
        useCase,
        streamClass,
        hidden: hiddenUseCases(principal),
        only,
        afterId: page.after ?? "",
        most: page.limit + 1,
      };
      return pageOf(await streamsOfSystem(reader, system, asked), page, {
        place: ({ stream_id }) => [stream_id],
        item: (stream) => ({ ...stream, metadata: metadataOf(this.#kernel, stream) }),
      });
    });
  }

  /**
   * Resolves to a page of the events of a stream as receipt records, without payloads and salts, in order. Rejects with
   * `stream_not_found`.
   */
  events(
    principal: Principal,
    streamId: string,
    filter: EventFilter & { fromSeqNo: number | null },
    page: PageRequest<number>,
  ) {
    return this.#database.read(async (reader) => {
      const stream = await visibleStream(reader, principal, streamId);
      const asked = { afterSeqNo: Math.max(page.after ?? 0, (filter.fromSeqNo ?? 1) - 1), most: page.limit + 1 };
      return pageOf(await eventsAfter(reader, stream, filter, asked), page, {
        place: ({ seq_no }) => [seq_no],
        item: (row) => recordOf(row, false),
      });
    });
  }

  /** Resolves to the row of an event. Rejects with `receipt_not_found`. */
  receipt(principal: Principal, eventId: string): Promise<EventRow> {
    return this.#database.read(async (reader) => {
      const row = await findEvent(reader, principal.tenantId, eventId);
      if (row === null)
        throw new ServiceError(
          "receipt_not_found",
          `There is no event ${JSON.stringify(eventId)} that this key can see.`,
        );
      requireAssigned(principal, row);
      return row;
    });
  }
}
