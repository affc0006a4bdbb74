/**
 * Bounds how many large bodies one asker sends at a time, as the contracts say it. A thousand clients of one key that
 * send at once, or never finish, would not fit into memory. Small bodies never wait.
 */
import type { LargeBodyRule } from "@svc/api";
import { ServiceError } from "../errors.ts";
import { Semaphore } from "../semaphore.ts";

const RETRY_AFTER_S = 5;

/** The semaphores of all rules. Routes whose contracts name the same rule share one. */
export class LargeBodies {
  readonly #semaphores = new Map<LargeBodyRule, Semaphore>();

  /**
   * Waits until a body may be read. `bytes`: its stated size; null for an unknown one, which counts as large. Resolves
   * to a function that releases its permit. Rejects with `key_busy`.
   */
  async admit(rule: LargeBodyRule, bytes: number | null, asker: string): Promise<() => void> {
    if (bytes !== null && bytes <= rule.overBytes) return () => undefined;
    const { atOnce: permits, waitMs } = rule;
    const semaphore = this.#semaphores.get(rule) ?? new Semaphore({ permits, waitMs, refusal: () => busy(rule) });
    this.#semaphores.set(rule, semaphore);
    return semaphore.acquire(asker);
  }
}

function busy({ atOnce }: LargeBodyRule): ServiceError {
  return new ServiceError(
    "key_busy",
    `This system sends ${atOnce} large bodies at a time already. Send it again when one of them is answered.`,
    { retry_after_s: RETRY_AFTER_S },
  );
}
