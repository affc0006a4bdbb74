/** What a client has seen of one stream: its head, and the newest records, so that what comes next can be held against them. */
import type { ReceiptRecord, RedactedRecord } from "@svc/core";

/** Records that are kept of each stream: as many appends at the same time can come back in any order, and are still held against each other. */
const MAX_RECENT = 64;

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

  /** Forgets all records but the newest. */
  shrink(): void {
    for (const seqNo of this.#recent.keys()) if (seqNo !== this.#head) this.#recent.delete(seqNo);
  }

  /** Keeps records that hold, in order, without their payloads. */
  note(records: readonly ReceiptRecord[]): void {
    for (const { payload: _payload, payload_salt: _salt, ...redacted } of records.slice(-MAX_RECENT)) {
      this.#recent.set(redacted.seq_no, redacted);
      this.#head = Math.max(this.#head ?? 0, redacted.seq_no);
      const [oldest] = this.#recent.keys();
      if (this.#recent.size > MAX_RECENT && oldest !== undefined) this.#recent.delete(oldest);
    }
  }
}
