/**
 * Large bodies, as the contracts say what is large. One asker sends so many at a time: a thousand clients of one key
 * that send at once, or never finish, would not fit into memory. Those that have arrived take turns at the threads, by
 * the time that their askers have used, and while others send small bodies, all large ones together have half of the
 * time. Small bodies never wait.
 */
import { setImmediate as nextTurn, setTimeout as pauseFor } from "node:timers/promises";
import type { LargeBodyRule } from "@svc/api";
import { ServiceError } from "../errors.ts";
import { Semaphore } from "../semaphore.ts";
import { TimeShares } from "../threads/time-shares.ts";

const RETRY_AFTER_S = 5;
/** How long after a small body more of them are taken to come. */
const SMALL_SEEN_MS = 1000;
/** The longest time for which the next turn waits for the end of one, and for which the threads rest after it. */
const MAX_TURN_MS = 2000;

/** A large body that may be read. */
export interface LargeBody {
  /**
   * Resolves when the body, which has arrived, may be parsed. `bytes`: its size; one of unknown size can be small, and
   * waits no more then. Rejects with `key_busy`.
   */
  turn(bytes: number): Promise<void>;
  /** Ends the turn, when its answer is sent, and releases the permit; may be called more than once. */
  release(): void;
}

/** The surroundings of turns; tests hold them still. */
export interface TurnSurroundings {
  /** Returns milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** Resolves after a number of milliseconds. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/** The permits and turns of all rules. Routes whose contracts name the same rule share them. */
export class LargeBodies {
  readonly #surroundings: Required<TurnSurroundings>;
  readonly #ofRule = new Map<LargeBodyRule, { readonly permits: Semaphore; readonly turns: Turns }>();

  constructor({ now = () => performance.now(), pause = pauseUnheld }: TurnSurroundings = {}) {
    this.#surroundings = { now, pause };
  }

  /**
   * Waits until a body may be read. `bytes`: its stated size; null for an unknown one, which counts as large. Resolves
   * to null for a small body. Rejects with `key_busy`.
   */
  async admit(rule: LargeBodyRule, bytes: number | null, asker: string): Promise<LargeBody | null> {
    const { permits, turns } = this.#of(rule);
    const isSmall = (size: number) => {
      if (size <= rule.overBytes) turns.seeSmall(asker);
      return size <= rule.overBytes;
    };
    if (bytes !== null && isSmall(bytes)) return null;
    const release = await permits.acquire(asker);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    return {
      turn: async (size) => {
        if (!isSmall(size)) await turns.take(asker, ended);
      },
      release: () => {
        end();
        release();
      },
    };
  }

  #of(rule: LargeBodyRule) {
    const { atOnce: permits, waitMs } = rule;
    const refusal = () => busy(rule);
    const known = this.#ofRule.get(rule) ?? {
      permits: new Semaphore({ permits, waitMs, refusal }),
      turns: new Turns({ ...this.#surroundings, waitMs, refusal }),
    };
    this.#ofRule.set(rule, known);
    return known;
  }
}

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

/** The turns of bodies at the threads, one after another. */
class Turns {
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

/** A rest keeps no process from ending. */
const pauseUnheld = (milliseconds: number) => pauseFor(milliseconds, undefined, { ref: false });

function busy({ atOnce }: LargeBodyRule): ServiceError {
  return new ServiceError(
    "key_busy",
    `This system has ${atOnce} large bodies under way already, or others have had their turns for too long. Send it again when one of them is answered.`,
    { retry_after_s: RETRY_AFTER_S },
  );
}
