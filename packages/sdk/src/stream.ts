/**
 * One stream: append events and read how far their evidence has come.
 */
import type { EventInput, ReceiptRecord, Seal } from "@svc/core";
import type { Transport } from "./transport.ts";

/** How an append is sent. */
export interface AppendOptions {
  /** 1 to 255 visible ASCII characters. Made for you where not given, and kept across repeats of the same call. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
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

  constructor(transport: Transport, streamId: string) {
    this.streamId = streamId;
    this.#transport = transport;
    this.#path = `/v2/streams/${encodeURIComponent(streamId)}`;
  }

  /** Appends one event. The receipt comes back after the event is on the service's disk. */
  append(event: EventInput, options: AppendOptions = {}): Promise<ReceiptRecord> {
    return this.#append(`${this.#path}/events`, event, options);
  }

  /** Appends up to 1000 events, all or none, and answers with their receipts in order. */
  async appendBatch(events: readonly EventInput[], options: AppendOptions = {}): Promise<readonly ReceiptRecord[]> {
    const path = `${this.#path}/events/batch`;
    return (await this.#append<{ receipts: ReceiptRecord[] }>(path, { events }, options)).receipts;
  }

  head(signal?: AbortSignal): Promise<StreamHead> {
    return this.#transport.json({ method: "GET", path: `${this.#path}/head`, signal });
  }

  proofState(signal?: AbortSignal): Promise<ProofState> {
    return this.#transport.json({ method: "GET", path: `${this.#path}/proof-state`, signal });
  }

  #append<T>(path: string, body: unknown, options: AppendOptions): Promise<T> {
    const idempotencyKey = options.idempotencyKey ?? globalThis.crypto.randomUUID();
    return this.#transport.json({ method: "POST", path, body, idempotencyKey, signal: options.signal });
  }
}
