/**
 * One stream: append events and read how far their evidence has come.
 */
import type { Checkpoint, EventInput, ForkEvidence, ReceiptRecord, RedactedRecord, Seal, Window } from "@svc/core";
import { type Page, type PageRequest, withQuery } from "./pages.ts";
import { AppendQueue, type AppendQueueOptions, type QueuedEvent } from "./queue/index.ts";
import type { Transport, WriteOptions } from "./transport.ts";

/** Which events a list shows. */
export interface EventFilter extends PageRequest {
  readonly event_type?: string;
  readonly source_ref?: string;
}

/** An erasure, and the event of the tenant's lifecycle stream that records it. */
export interface Erasure {
  readonly stream_id: string;
  readonly stream_event_id: string;
  readonly seq_no: number;
  readonly erased_at: string;
  readonly lifecycle_record: ReceiptRecord;
}

/** The newest event of a stream, with everything that its receipt signs. */
export interface StreamHead {
  readonly stream_id: string;
  readonly stream_event_id: string;
  readonly seq_no: number;
  readonly previous_event_hash: string;
  readonly event_hash: string;
  readonly stream_head_hash: string;
  readonly receipt: Seal;
}

/** How far the evidence of a stream has come: 0 where nothing is there yet. */
export interface ProofState {
  readonly stream_id: string;
  readonly head_seq_no: number;
  readonly windowed_to_seq_no: number;
  readonly checkpointed_to_seq_no: number;
  readonly witnessed_to_seq_no: number;
  readonly latest_window_id: string | null;
  readonly latest_checkpoint_id: string | null;
}

export class StreamClient {
  readonly streamId: string;
  readonly #transport: Transport;
  readonly #path: string;
  #queue: AppendQueue | null = null;
  #isOpening = false;

  constructor(transport: Transport, streamId: string) {
    this.streamId = streamId;
    this.#transport = transport;
    this.#path = `/v2/streams/${encodeURIComponent(streamId)}`;
  }

  /** Appends one event. The receipt comes back after the event is on the service's disk. */
  append(event: EventInput, options: WriteOptions = {}): Promise<ReceiptRecord> {
    return this.#transport.write(`${this.#path}/events`, event, options);
  }

  /** Appends up to 1000 events, all or none, and answers with their receipts in order. */
  async appendBatch(events: readonly EventInput[], options: WriteOptions = {}): Promise<readonly ReceiptRecord[]> {
    const path = `${this.#path}/events/batch`;
    return (await this.#transport.write<{ receipts: ReceiptRecord[] }>(path, { events }, options)).receipts;
  }

  /**
   * Opens an append queue on this stream, and begins to send what waits in its spool. One at a time: throws TypeError while `appendLater` has one that
   * is not closed, and QueueError for a spool that cannot be used.
   */
  async openQueue(options: AppendQueueOptions): Promise<AppendQueue> {
    if (this.#isOpening || this.#queue?.isClosed === false)
      throw new TypeError("this stream has a queue already: close it first");
    this.#isOpening = true;
    try {
      this.#queue = await AppendQueue.open(this.streamId, (events, given) => this.appendBatch(events, given), options);
      return this.#queue;
    } finally {
      this.#isOpening = false;
    }
  }

  /**
   * Appends one event by the queue that `openQueue` has opened: resolves when it is in the queue's spool. Its `receipt` resolves when it is durable with
   * the service. Throws TypeError where no queue is open yet, and what `AppendQueue.append` throws.
   */
  async appendLater(event: EventInput): Promise<QueuedEvent> {
    if (this.#queue === null) throw new TypeError("open a queue first: await stream.openQueue({ spool })");
    return this.#queue.append(event);
  }

  /** Erases the payload of an event for good. Needs a key that is allowed `erase`; `reason` is recorded, so it names no person. */
  erase(eventId: string, reason: string, options: WriteOptions = {}): Promise<Erasure> {
    return this.#transport.write(`${this.#path}/events/${encodeURIComponent(eventId)}/erase`, { reason }, options);
  }

  head(signal?: AbortSignal): Promise<StreamHead> {
    return this.#get("head", {}, signal);
  }

  proofState(signal?: AbortSignal): Promise<ProofState> {
    return this.#get("proof-state", {}, signal);
  }

  /** A page of the events as receipt records, without payloads and salts, in order. */
  events(filter: EventFilter = {}, signal?: AbortSignal): Promise<Page<RedactedRecord>> {
    return this.#get("events", filter, signal);
  }

  /** A page of the windows, in order. */
  windows(page: PageRequest = {}, signal?: AbortSignal): Promise<Page<Window>> {
    return this.#get("windows", page, signal);
  }

  /** A page of the checkpoints, in order. */
  checkpoints(page: PageRequest = {}, signal?: AbortSignal): Promise<Page<Checkpoint>> {
    return this.#get("checkpoints", page, signal);
  }

  /** A page of the evidence that the service has signed two histories of the stream: empty, where all is well. */
  forks(page: PageRequest = {}, signal?: AbortSignal): Promise<Page<ForkEvidence>> {
    return this.#get("forks", page, signal);
  }

  #get<T>(what: string, query: EventFilter, signal?: AbortSignal): Promise<T> {
    return this.#transport.json({ method: "GET", path: withQuery(`${this.#path}/${what}`, { ...query }), signal });
  }
}
