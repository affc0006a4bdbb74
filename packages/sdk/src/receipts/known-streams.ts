/**
 * A client's knowledge of its streams: the newest record of each, and more of the latest streams (known-events.ts).
 */
import type { ReceiptRecord } from "@svc/core";
import { KnownEvents } from "./known-events.ts";

/** The number of streams of which more than the newest record is kept. */
const MAX_RECENT_STREAMS = 256;

export class KnownStreams {
  readonly #streams = new Map<string, KnownEvents>();
  /** The latest stream is at the end. */
  readonly #recent = new Set<string>();

  /** Returns what has been seen of a stream, and remembers the stream. */
  of(streamId: string): KnownEvents {
    const known = this.peek(streamId);
    this.#streams.set(streamId, known);
    return known;
  }

  /** Returns what has been seen of a stream; empty for a stream that is not remembered. */
  peek(streamId: string): KnownEvents {
    return this.#streams.get(streamId) ?? new KnownEvents();
  }

  /** Keeps records of a stream that hold, in order. */
  note(streamId: string, records: readonly ReceiptRecord[]): void {
    this.of(streamId).note(records);
    this.#recent.delete(streamId);
    this.#recent.add(streamId);
    const [oldest] = this.#recent;
    if (this.#recent.size <= MAX_RECENT_STREAMS || oldest === undefined) return;
    this.#recent.delete(oldest);
    this.#streams.get(oldest)?.shrink();
  }
}
