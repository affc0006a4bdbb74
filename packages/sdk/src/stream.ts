/**
 * One stream: append events, read them again, and see how far their evidence has come. The client returns receipts,
 * records and the head only if they hold (receipts/receipts.ts), and windows, checkpoints and forks unchecked: `verify`
 * checks them.
 */
import type { Erasure, ProofState, StreamHead } from "@svc/api";
import type { Checkpoint, EventInput, ForkEvidence, ReceiptRecord, RedactedRecord, Window } from "@svc/core";
import { SvcError, VerificationError } from "./error.ts";
import { jsonOf } from "./json-of.ts";
import { List, listOf, type PageRequest, pageOf, withQuery } from "./pages.ts";
import type { AppendLaterOptions, AppendQueue, AppendQueueOptions, QueuedEvent } from "./queue/index.ts";
import type { SendOptions } from "./queue/outbox.ts";
import type { Receipts, Recording } from "./receipts/receipts.ts";
import type { Transport, WriteOptions } from "./transport.ts";

/** Narrows a list of events. */
export interface EventFilter extends PageRequest {
  readonly event_type?: string;
  readonly source_ref?: string;
  /** Only events of this number and later; from 1. */
  readonly from_seq_no?: number;
}

const HEAD_MEMBERS = ["stream_id", "stream_event_id", "event_hash", "previous_event_hash", "stream_head_hash"] as const;

/**
 * One stream: `client.stream(streamId)`. Its methods reject with SvcError, and with VerificationError for an answer
 * that does not hold. SvcClient lists the codes of every call; every call here can also fail with `stream_forbidden`
 * and `stream_not_found`.
 */
export class StreamClient {
  readonly streamId: string;
  readonly #transport: Transport;
  readonly #receipts: Receipts;
  readonly #path: string;
  #queue: AppendQueue | null = null;
  #isOpening = false;

  /** @internal */
  constructor(transport: Transport, receipts: Receipts, streamId: string) {
    this.streamId = streamId;
    this.#transport = transport;
    this.#receipts = receipts;
    this.#path = `/v2/streams/${encodeURIComponent(streamId)}`;
  }

  /**
   * Appends one event. Resolves to its receipt after the event is on the service's disk, if the receipt holds. `event`:
   * reference, type, time and payload. `options.idempotencyKey`: under the same key the event is recorded once.
   *
   * Codes: `key_busy`, `too_deep`, `payload_too_large`, `timezone_required`, `idempotency_conflict`, `stream_closed`,
   * `stream_class_closed`, `event_log_stream`. Rejects with VerificationError for a receipt that does not hold; the
   * event may be recorded then.
   *
   * @example
   * const receipt = await stream.append({
   *   source_ref: "loan-1001",
   *   event_type: "loan.decided",
   *   occurred_at: "2026-03-01T09:30:00+01:00",
   *   payload: { amount: 12500, approved: true },
   * });
   * console.log(receipt.seq_no); // 4
   */
  async append(event: EventInput, options: WriteOptions = {}): Promise<ReceiptRecord> {
    const [receipt] = await this.#receipts.record(
      {
        path: `${this.#path}/events`,
        text: jsonOf(event),
        streamId: this.streamId,
        events: (sent: EventInput) => [sent],
        receipts: (answer) => [answer],
      },
      options,
    );
    return receipt as ReceiptRecord;
  }

  /**
   * Appends 1 to 1000 events, all or none. Resolves to their receipts in order, if all of them hold. `options` and
   * codes as in `append`; `error.detail.index` is the index of a refused event.
   *
   * @example
   * const receipts = await stream.appendBatch([event, event]);
   * console.log(receipts.map(({ seq_no }) => seq_no).join()); // 4,5
   */
  async appendBatch(events: readonly EventInput[], options: WriteOptions = {}): Promise<readonly ReceiptRecord[]> {
    return this.#receipts.record(this.#batchOf(jsonOf({ events }), {}), options);
  }

  /**
   * Opens an append queue on this stream, and begins to send the events in its spool. A stream has one queue at a time.
   * `options`: see AppendQueueOptions. Throws TypeError while another queue is open, RangeError for a number out of its
   * range, and QueueError `spool_in_use`, `spool_foreign`, `spool_corrupt` or `spool_failed` for a spool that cannot be
   * used.
   *
   * @example
   * const queue = await stream.openQueue({
   *   spool: new MemorySpool(),
   *   onStopped: ({ code, message }) => console.error(code, message),
   * });
   * const queued = await stream.appendLater(event);
   * console.log((await queued.receipt).seq_no); // 4
   * await queue.close();
   */
  async openQueue(options: AppendQueueOptions): Promise<AppendQueue> {
    if (this.#isOpening || this.#queue?.isClosed === false)
      throw new TypeError("this stream has a queue already: close it first");
    this.#isOpening = true;
    try {
      const send = (texts: readonly string[], { after_key, ...given }: SendOptions) =>
        this.#receipts.send(this.#batchOf(`{"events":[${texts.join(",")}]}`, { after_key }), given);
      // Most programs have no queue, and it weighs half as much as the rest of the client.
      const { AppendQueue } = await import("./queue/append-queue.ts");
      this.#queue = await AppendQueue.open(this.streamId, send, options);
      return this.#queue;
    } finally {
      this.#isOpening = false;
    }
  }

  /**
   * Appends one event through the queue of `openQueue`. Resolves when the event is in the queue's spool; its `receipt`
   * resolves when the event is durable with the service. `event`: as in `append`. `options.key`: your program's name
   * for the event. Throws TypeError without an open queue, and the errors of `AppendQueue.append`.
   *
   * @example
   * const queue = await stream.openQueue({ spool: new MemorySpool() });
   * await stream.appendLater(event, { key: "loan-1001" });
   * const second = await stream.appendLater(event, { key: "loan-1001" }).catch((error) => error);
   * console.log(second.code); // key_taken
   * await queue.close();
   */
  async appendLater(event: EventInput, options: AppendLaterOptions = {}): Promise<QueuedEvent> {
    if (this.#queue === null) throw new TypeError("open a queue first: await stream.openQueue({ spool })");
    return this.#queue.append(event, options);
  }

  /**
   * Erases the payload of an event for good; its hashes stay, and every proof stays valid. Needs a key that is allowed
   * `erase`. `eventId`: the event's `stream_event_id`. `reason`: recorded for good, so it must name no person. Resolves
   * to the erasure, whose lifecycle event has been checked. Codes: `receipt_not_found`, `stream_class_closed`,
   * `idempotency_conflict`.
   *
   * @example
   * const eraser = new SvcClient({ ...service, apiKey: service.eraseKey, trust }).stream(stream.streamId);
   * console.log((await eraser.erase(receipt.stream_event_id, "the retention period is over")).seq_no); // 1
   */
  async erase(eventId: string, reason: string, options: WriteOptions = {}): Promise<Erasure> {
    const path = `${this.#path}/events/${encodeURIComponent(eventId)}/erase`;
    const erasure = await this.#transport.write<Erasure>(path, { reason }, options);
    await this.#receipts.checkLifecycle(erasure.lifecycle_record, "event.erased", erasure, options.signal);
    return erasure;
  }

  /**
   * Resolves to the newest event and its receipt, without the payload. The client also reads the events between it and
   * the newest event that it knows; they must chain. Codes: `stream_empty`; rejects with VerificationError for a head
   * that does not hold, and `head_stale` for one that is older than what the client saw.
   *
   * @example
   * const { seq_no, stream_head_hash } = await stream.head();
   * console.log(seq_no, stream_head_hash.length); // 3 64
   */
  async head(signal?: AbortSignal): Promise<StreamHead> {
    const seen = this.#receipts.of(this.streamId).head ?? 0;
    const stale = (head: string, answer: unknown) => {
      const message = `The head of ${this.streamId} is ${head}, and event ${seen} was handed out before.`;
      return new VerificationError({ code: "head_stale", message }, answer);
    };
    let head: StreamHead;
    try {
      head = await this.#get<StreamHead>("head", signal);
    } catch (error) {
      if (error instanceof SvcError && error.code === "stream_empty" && seen > 0) throw stale("empty", error.detail);
      throw error;
    }
    if (head.seq_no < seen) throw stale(`event ${head.seq_no}`, head);
    // A head shows less than its event hash covers; the record shows all of it.
    const path = `/v2/receipts/${encodeURIComponent(head.stream_event_id)}`;
    const answer = await this.#transport.json<ReceiptRecord>({ method: "GET", path, signal });
    const [record] = await this.#receipts.check([answer], { streamId: this.streamId, goesOn: true }, answer, signal);
    const other = HEAD_MEMBERS.find((name) => record?.[name] !== head[name]);
    const sameSeal = record?.receipt.kid === head.receipt?.kid && record.receipt.signature === head.receipt.signature;
    if (other !== undefined || record?.seq_no !== head.seq_no || !sameSeal) {
      const message = `The head's ${other ?? (sameSeal ? "seq_no" : "receipt")} is not that of its event.`;
      throw new VerificationError({ code: "receipt_mismatch", message }, head);
    }
    return head;
  }

  /**
   * Resolves to how far the stream's evidence has come, as the service states it, unchecked: a pack proves it.
   *
   * @example
   * console.log((await stream.proofState()).witnessed_to_seq_no); // 3
   */
  proofState(signal?: AbortSignal): Promise<ProofState> {
    return this.#get("proof-state", signal);
  }

  /**
   * Lists the events as receipt records, without payloads and salts, in order. Each record must hold by itself.
   * `filter`: only events with this type or reference, or from a number on. Without a type or reference, the records
   * must also follow each other without a gap, up to the newest event that this client knows. Rejects with
   * VerificationError if they do not: `range_incomplete`, `head_stale`, `receipt_mismatch`, or a code of the verifier.
   *
   * @example
   * for await (const { seq_no } of stream.events({ from_seq_no: 3 })) console.log(seq_no); // 3
   */
  events(filter: EventFilter = {}, signal?: AbortSignal): List<RedactedRecord> {
    const { event_type, source_ref, cursor: given, from_seq_no = given === undefined ? 1 : undefined } = filter;
    return new List(given, async (cursor, before) => {
      const path = withQuery(`${this.#path}/events`, { ...filter, cursor });
      const seen = this.#receipts.of(this.streamId).head ?? 0;
      const page = await pageOf<RedactedRecord>(this.#transport, path, signal);
      const check = (records: readonly RedactedRecord[], previous: RedactedRecord | null) =>
        this.#receipts.check(records, { streamId: this.streamId, before: previous }, page, signal);
      if (event_type !== undefined || source_ref !== undefined) {
        let least = (before?.seq_no ?? (filter.from_seq_no ?? 1) - 1) + 1;
        for (const record of page.items) {
          await check([record], null);
          const isChosen =
            [record.event_type, undefined].includes(event_type) && [record.source_ref, undefined].includes(source_ref);
          if (!isChosen || record.seq_no < least) {
            const message =
              `Event ${record.seq_no} of ${this.streamId} is in a list that was asked for others, or for others ` +
              `first.`;
            throw new VerificationError({ code: "receipt_mismatch", message }, page);
          }
          least = record.seq_no + 1;
        }
        return page;
      }
      const [first] = page.items;
      if (first !== undefined) await check(page.items, before);
      if (first !== undefined && before === null && from_seq_no !== undefined && first.seq_no !== from_seq_no) {
        const message = `The list begins with event ${first.seq_no}, and event ${from_seq_no} was asked for.`;
        throw new VerificationError({ code: "range_incomplete", message }, page);
      }
      const newest = page.items.at(-1) ?? before;
      const last = newest?.seq_no ?? (from_seq_no === undefined ? seen : from_seq_no - 1);
      if (page.next_cursor === null && last < seen) {
        const message = `The list ends with event ${last}, and event ${seen} was handed out before.`;
        throw new VerificationError({ code: "head_stale", message }, page);
      }
      return page;
    });
  }

  /**
   * Lists the windows (protocol section 8), in order, unchecked. `page`: where to begin.
   *
   * @example
   * for await (const { from_seq_no, to_seq_no } of stream.windows()) console.log(from_seq_no, to_seq_no); // 1 3
   */
  windows(page: PageRequest = {}, signal?: AbortSignal): List<Window> {
    return listOf(this.#transport, `${this.#path}/windows`, { ...page }, signal);
  }

  /**
   * Lists the checkpoints (protocol section 9), in order, unchecked. `page`: where to begin.
   *
   * @example
   * for await (const { window_count } of stream.checkpoints()) console.log(window_count); // 1
   */
  checkpoints(page: PageRequest = {}, signal?: AbortSignal): List<Checkpoint> {
    return listOf(this.#transport, `${this.#path}/checkpoints`, { ...page }, signal);
  }

  /**
   * Lists the evidence that the service has signed two histories of the stream, unchecked; empty if all is well.
   * `page`: where to begin.
   *
   * @example
   * console.log((await stream.forks()).items.length); // 0
   */
  forks(page: PageRequest = {}, signal?: AbortSignal): List<ForkEvidence> {
    return listOf(this.#transport, `${this.#path}/forks`, { ...page }, signal);
  }

  /** `text`: the body. */
  #batchOf(text: string, query: Readonly<Record<string, string | undefined>>): Recording {
    return {
      path: withQuery(`${this.#path}/events/batch`, query),
      text,
      streamId: this.streamId,
      isBatch: true,
      events: (sent: { events: readonly EventInput[] }) => sent.events,
      receipts: (answer: { receipts?: unknown }) => answer.receipts,
    };
  }

  #get<T>(what: string, signal?: AbortSignal): Promise<T> {
    return this.#transport.json({ method: "GET", path: `${this.#path}/${what}`, signal });
  }
}
