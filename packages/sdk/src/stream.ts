/**
 * One stream: append events, read them again, and how far their evidence has come. Receipts, records and the head are handed out if they hold
 * (receipts/receipts.ts); windows, checkpoints and forks as they come: `verify` takes them.
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

/** Which events a list shows. */
export interface EventFilter extends PageRequest {
  readonly event_type?: string;
  readonly source_ref?: string;
  /** Those of this number and later; from 1. */
  readonly from_seq_no?: number;
}

const HEAD_MEMBERS = ["stream_id", "stream_event_id", "event_hash", "previous_event_hash", "stream_head_hash"] as const;

/** One stream, as `client.stream(streamId)`. Its methods throw SvcError, and VerificationError where what comes does not hold. */
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
   * Appends one event. The receipt comes back after the event is on the service's disk, and if it holds. Throws SvcError, and VerificationError
   * for a receipt that does not hold; the event may be recorded then.
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
   * Appends up to 1000 events, all or none, and answers with their receipts in order, if all of them hold. Throws as `append` does.
   *
   * @example
   * const receipts = await stream.appendBatch([event, event]);
   * console.log(receipts.map(({ seq_no }) => seq_no).join()); // 4,5
   */
  async appendBatch(events: readonly EventInput[], options: WriteOptions = {}): Promise<readonly ReceiptRecord[]> {
    return this.#receipts.record(this.#batchOf(jsonOf({ events }), {}), options);
  }

  /**
   * Opens an append queue on this stream, and begins to send what waits in its spool. One at a time: throws TypeError while `appendLater` has one that
   * is not closed, RangeError for a number that is out of its range, and QueueError for a spool that cannot be used.
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
   * Appends one event by the queue that `openQueue` has opened: resolves when it is in the queue's spool. Its `receipt` resolves when it is durable with
   * the service. Throws TypeError where no queue is open yet, and what `AppendQueue.append` throws.
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

  /** Erases the payload of an event for good. Needs a key that is allowed `erase`; `reason` is recorded, so it names no person. */
  async erase(eventId: string, reason: string, options: WriteOptions = {}): Promise<Erasure> {
    const path = `${this.#path}/events/${encodeURIComponent(eventId)}/erase`;
    const erasure = await this.#transport.write<Erasure>(path, { reason }, options);
    await this.#receipts.checkLifecycle(erasure.lifecycle_record, "event.erased", erasure, options.signal);
    return erasure;
  }

  /**
   * The newest event as far as its receipt goes. What lies between it and the newest event that this client knows is read, and must chain.
   * Throws VerificationError for a head that does not hold, `head_stale` for one behind what was seen.
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
    // What a head shows is not all that its event hash covers: the record is.
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

  /** How far its evidence has come, as the service states it: a pack shows it. */
  proofState(signal?: AbortSignal): Promise<ProofState> {
    return this.#get("proof-state", signal);
  }

  /**
   * The events as receipt records, without payloads and salts, in order. Each holds by itself; without a type or reference to choose by, they also
   * follow each other without a gap, up to the newest that this client knows. Throws VerificationError where they do not.
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
            const message = `Event ${record.seq_no} of ${this.streamId} is in a list that was asked for others, or for others first.`;
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

  /** The windows, in order. */
  windows(page: PageRequest = {}, signal?: AbortSignal): List<Window> {
    return listOf(this.#transport, `${this.#path}/windows`, { ...page }, signal);
  }

  /** The checkpoints, in order. */
  checkpoints(page: PageRequest = {}, signal?: AbortSignal): List<Checkpoint> {
    return listOf(this.#transport, `${this.#path}/checkpoints`, { ...page }, signal);
  }

  /** The evidence that the service has signed two histories of the stream: none, where all is well. */
  forks(page: PageRequest = {}, signal?: AbortSignal): List<ForkEvidence> {
    return listOf(this.#transport, `${this.#path}/forks`, { ...page }, signal);
  }

  /** `text`: the body. */
  #batchOf(text: string, query: Readonly<Record<string, string | undefined>>): Recording {
    return {
      path: withQuery(`${this.#path}/events/batch`, query),
      text,
      streamId: this.streamId,
      events: (sent: { events: readonly EventInput[] }) => sent.events,
      receipts: (answer: { receipts?: unknown }) => answer.receipts,
    };
  }

  #get<T>(what: string, signal?: AbortSignal): Promise<T> {
    return this.#transport.json({ method: "GET", path: `${this.#path}/${what}`, signal });
  }
}
