/** What a client has seen of its streams: of each the newest record, and of those that it heard of last more (known-events.ts). */
import type { ReceiptRecord } from "@svc/core";
import { KnownEvents } from "./known-events.ts";

/** Of so many streams more than the newest record is kept. */
const MAX_RECENT_STREAMS = 256;

export class KnownStreams {
  readonly #streams = new Map<string, KnownEvents>();
  /** The one that was heard of last at the end. */
  readonly #recent = new Set<string>();

  /** What has been seen of a stream, which is remembered from here on. */
  of(streamId: string): KnownEvents {
    const known = this.peek(streamId);
    this.#streams.set(streamId, known);
    return known;
  }

  /** What has been seen of a stream; nothing of one that is not remembered. */
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
