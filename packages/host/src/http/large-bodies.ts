/**
 * How many large bodies one asker sends at a time, as the contracts say it. What a thousand clients of one key send at
 * once, or begin and never end, would not fit into memory. Bodies that are small never wait.
 */
import type { LargeBodyRule } from "@svc/api";
import { ServiceError } from "../errors.ts";
import { Semaphore } from "../semaphore.ts";

const RETRY_AFTER_S = 5;

/** The semaphores of all rules. Routes whose contracts name the same rule share one. */
export class LargeBodies {
  readonly #semaphores = new Map<LargeBodyRule, Semaphore>();

  /**
   * Waits until a body of so many bytes may be read, null for an unknown size; resolves to what releases its permit.
   * Throws `key_busy`.
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
