/**
 * Waiting items that share the time of one thread. Owners are in shares, and the share that has used the least time is
 * next; within a share, owners take turns. So a share with long items, or with many owners, takes no more of the thread
 * than another one that waits too. It is start-time fair queueing (Goyal, Vin and Cheng, 1996), with equal weights.
 */
import { FairQueue } from "./fair-queue.ts";

/** The waiting items, by owner and share. */
export class TimeShares<Item> {
  readonly #shareOf: (owner: string) => string;
  readonly #waiting = new Map<string, FairQueue<Item>>();
  /**
   * By share: the time that it has used, in milliseconds of a clock that all shares have in common. It is kept until
   * that clock has caught up, so that a share which asks for one item after another pays for the last one.
   */
  readonly #used = new Map<string, number>();
  /** The common clock: what the share that was served last had used before. */
  #now = 0;

  /** `shareOf`: returns the share of an owner. */
  constructor(shareOf: (owner: string) => string) {
    this.#shareOf = shareOf;
  }

  /** The number of waiting items. */
  get size(): number {
    return [...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Returns the number of an owner's waiting items. */
  sizeOf(owner: string): number {
    return this.#waiting.get(this.#shareOf(owner))?.sizeOf(owner) ?? 0;
  }

  /** Adds an item behind those of its owner. */
  push(owner: string, item: Item): void {
    const share = this.#shareOf(owner);
    const queue = this.#waiting.get(share) ?? new FairQueue<Item>();
    this.#waiting.set(share, queue);
    queue.push(owner, item);
  }

  /** Removes and returns the item whose turn it is; undefined if nothing waits. */
  shift(): Item | undefined {
    const [first, ...others] = this.#waiting.keys();
    if (first === undefined) return undefined;
    const share = others.reduce((least, other) => (this.#start(other) < this.#start(least) ? other : least), first);
    this.#now = this.#start(share);
    this.#used.set(share, this.#now);
    const queue = this.#waiting.get(share);
    const item = queue?.shift();
    // The share that was served last comes behind others that have used as much.
    this.#waiting.delete(share);
    if (queue !== undefined && queue.size > 0) this.#waiting.set(share, queue);
    return item;
  }

  /** Charges the share of an owner for the time that one of its items took, in milliseconds. */
  charge(owner: string, milliseconds: number): void {
    const share = this.#shareOf(owner);
    this.#used.set(share, this.#start(share) + milliseconds);
    for (const [other, used] of this.#used) if (used <= this.#now) this.#used.delete(other);
  }

  /** Returns the time from which a share begins now: idle time is not saved up. */
  #start(share: string): number {
    return Math.max(this.#now, this.#used.get(share) ?? 0);
  }
}
