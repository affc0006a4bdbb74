/** What a client has seen of one stream: its head, and the newest records, so that what comes next can be held against them. */
import type { ReceiptRecord, RedactedRecord } from "@svc/core";

/** Records that are kept of each stream; as many as one batch brings. */
const MAX_RECENT = 1000;

export class KnownEvents {
  #head: number | null = null;
  readonly #recent = new Map<number, RedactedRecord>();

  /** The number of the newest event that was seen: 0 of a stream that is known to be empty, null where nothing is known. */
  get head(): number | null {
    return this.#head;
  }

  /** The record of that number, where it is among the newest. */
  at(seqNo: number): RedactedRecord | undefined {
    return this.#recent.get(seqNo);
  }

  /** States that the stream has just been made. */
  isNew(): void {
    this.#head ??= 0;
  }

  /** Keeps a record that holds, without its payload. */
  note(record: ReceiptRecord): void {
    const { payload: _payload, payload_salt: _salt, ...redacted } = record;
    this.#recent.set(record.seq_no, redacted);
    this.#head = Math.max(this.#head ?? 0, record.seq_no);
    if (this.#recent.size > MAX_RECENT) this.#recent.delete(Math.min(...this.#recent.keys()));
  }
}
