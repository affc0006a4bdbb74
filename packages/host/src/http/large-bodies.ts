/**
 * Large bodies, as the contracts say what is large. One asker sends so many at a time: a thousand clients of one key
 * that send at once, or never finish, would not fit into memory. Those that have arrived take turns. Small bodies never
 * wait.
 */
import type { LargeBodyRule } from "@svc/api";
import { ServiceError } from "../errors.ts";
import { Semaphore } from "../semaphore.ts";
import { pauseUnheld, type TurnSurroundings, Turns } from "./large-turns.ts";

const RETRY_AFTER_S = 5;

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

function busy({ atOnce }: LargeBodyRule): ServiceError {
  return new ServiceError(
    "key_busy",
    `This system has ${atOnce} large bodies under way already, or others have had their turns for too long. Send ` +
      `it again when one of them is answered.`,
    { retry_after_s: RETRY_AFTER_S },
  );
}
