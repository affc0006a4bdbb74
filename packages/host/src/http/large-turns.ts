/**
 * The turns of large bodies at the threads, by the time that their askers have used. While others send small bodies,
 * all large ones together have half of the time.
 */
import { setImmediate as nextTurn, setTimeout as pauseFor } from "node:timers/promises";
import type { ServiceError } from "../errors.ts";
import { TimeShares } from "../threads/time-shares.ts";

/** How long after a small body more of them are taken to come. */
const SMALL_SEEN_MS = 1000;
/** The longest time for which the next turn waits for the end of one, and for which the threads rest after it. */
const MAX_TURN_MS = 2000;

/** The surroundings of turns; tests hold them still. */
export interface TurnSurroundings {
  /** Returns milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** Resolves after a number of milliseconds. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/** A rest keeps no process from ending. */
export const pauseUnheld = (milliseconds: number) => pauseFor(milliseconds, undefined, { ref: false });

/** The rules of turns: how long a body waits for its own, and the error after that. */
interface TurnRules extends Required<TurnSurroundings> {
  readonly waitMs: number;
  readonly refusal: () => ServiceError;
}

/** A body that waits for its turn. */
interface Waiting {
  readonly asker: string;
  /** Resolves when its answer is sent, or it is refused. */
  readonly ended: Promise<void>;
  /** Begins the turn; returns false if the body waits no more. */
  readonly begin: () => boolean;
}

/** A small body that came. */
interface Seen {
  readonly asker: string;
  readonly at: number;
}

const NONE: Seen = { asker: "", at: Number.NEGATIVE_INFINITY };

/** Gives turns one after another. */
export class Turns {
  readonly #rules: TurnRules;
  readonly #waiting = new TimeShares<Waiting>((asker) => asker);
  #isServing = false;
  /** The last small body, and the last one of another asker. */
  #small = NONE;
  #otherSmall = NONE;

  constructor(rules: TurnRules) {
    this.#rules = rules;
  }

  /** Notes that a small body comes. */
  seeSmall(asker: string): void {
    if (asker !== this.#small.asker) this.#otherSmall = this.#small;
    this.#small = { asker, at: this.#rules.now() };
  }

  /** Resolves when the turn of a body begins; `ended` resolves when it is over. Rejects if it waits for too long. */
  take(asker: string, ended: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      let isWaiting = true;
      const timer = setTimeout(() => {
        isWaiting = false;
        reject(this.#rules.refusal());
      }, this.#rules.waitMs);
      const begin = () => {
        clearTimeout(timer);
        resolve();
        return isWaiting;
      };
      this.#waiting.push(asker, { asker, ended, begin });
      void this.#serve();
    });
  }

  async #serve(): Promise<void> {
    if (this.#isServing) return;
    this.#isServing = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      if (next.begin()) await this.#end(next);
    this.#isServing = false;
  }

  /** Resolves when the turn after this one may begin. */
  async #end({ asker, ended }: Waiting): Promise<void> {
    const { now, pause } = this.#rules;
    const begunAt = now();
    // The answering thread has parsed the body when this comes, and another one records it.
    await nextTurn();
    const { at } = this.#small.asker === asker ? this.#otherSmall : this.#small;
    const isShared = now() - at < SMALL_SEEN_MS;
    if (isShared) await Promise.race([ended, pause(MAX_TURN_MS)]);
    const usedMs = now() - begunAt;
    this.#waiting.charge(asker, usedMs);
    if (isShared) await pause(Math.min(usedMs, MAX_TURN_MS));
  }
}
