/** A client's knowledge of one stream: its head and the newest records, with which new answers are compared. */
import type { ReceiptRecord, RedactedRecord } from "@svc/core";

/**
 * The number of records kept of each stream: so many parallel appends can come back in any order, and are still
 * compared with each other.
 */
const MAX_RECENT = 64;

export class KnownEvents {
  #head: number | null = null;
  readonly #recent = new Map<number, RedactedRecord>();

  /**
   * The number of the newest event that was seen: 0 for a stream that is known to be empty, null if nothing is known.
   */
  get head(): number | null {
    return this.#head;
  }

  /** Returns the record of a number, if it is among the newest. */
  at(seqNo: number): RedactedRecord | undefined {
    return this.#recent.get(seqNo);
  }

  /** Notes that the stream has just been made. */
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
