/**
 * The keys that a program gave its events, so that the same event is not put into a queue twice. The spool decides how
 * many keys are remembered.
 */
import { QueueError } from "./queue-error.ts";
import { KEPT_KEYS, type SpooledEvent } from "./spool.ts";

const KEY = /^[!-~]{1,255}$/;

/** Options of an append to a queue. */
export interface AppendLaterOptions {
  /**
   * Your program's name for the event, 1 to 255 visible ASCII characters, such as the id of a reading: a second event
   * with the same key is refused (`key_taken`), also by the next process. The spool remembers the newest 10,000.
   */
  readonly key?: string;
}

export class SuppliedKeys {
  /** The keys in the spool, oldest first. */
  readonly #kept: Set<string>;
  /** The keys of events that are being put into the spool. */
  readonly #coming = new Map<string, Promise<unknown>>();

  constructor(kept: readonly string[]) {
    this.#kept = new Set(kept);
  }

  /**
   * Returns the event of this key that is being put into the spool, if there is one: if it fails, the key is free
   * again.
   */
  coming(key: string): Promise<unknown> | undefined {
    return this.#coming.get(key);
  }

  /**
   * Takes a key for an event that is being put into the spool. Throws QueueError `key_taken`, and TypeError for a
   * malformed key.
   */
  take(key: string, entering: Promise<unknown>): void {
    if (!KEY.test(key)) throw new TypeError("a key is 1 to 255 visible ASCII characters");
    if (this.#kept.has(key))
      throw new QueueError("key_taken", `The event with the key ${key} is in the queue already, or has left it.`);
    this.#coming.set(key, entering);
    const end = () => void this.#coming.delete(key);
    entering.then(end, end);
  }

  /** Remembers the keys of events that are in the spool. */
  note(events: readonly SpooledEvent[]): void {
    for (const { key } of events) if (key !== undefined) this.#kept.add(key);
    for (const oldest of this.#kept) {
      if (this.#kept.size <= KEPT_KEYS) return;
      this.#kept.delete(oldest);
    }
  }
}
