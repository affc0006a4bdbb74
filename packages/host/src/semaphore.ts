/**
 * A semaphore for requests that are large while they are under way: each owner has a number of permits, its other
 * requests wait for one, but only for a limited time. It is kept in memory, by each process for itself.
 */
import type { ServiceError } from "./errors.ts";

/** How many permits an owner has, how long a request waits for one in ms, and the error after that. */
export interface SemaphoreRules {
  readonly permits: number;
  readonly waitMs: number;
  readonly refusal: () => ServiceError;
}

interface Owner {
  acquired: number;
  readonly waiting: (() => void)[];
}

/** Permits by owner. An owner without permits and without waiting requests takes no memory. */
export class Semaphore {
  readonly #rules: SemaphoreRules;
  readonly #owners = new Map<string, Owner>();

  constructor(rules: SemaphoreRules) {
    this.#rules = rules;
  }

  /**
   * Waits for a permit of the owner, in the order of arrival. Resolves to a function that releases it, which may be
   * called more than once. Rejects with the refusal of the rules.
   */
  async acquire(owner: string): Promise<() => void> {
    const of = this.#owners.get(owner) ?? { acquired: 0, waiting: [] };
    this.#owners.set(owner, of);
    if (of.acquired < this.#rules.permits) of.acquired += 1;
    else await this.#wait(of);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = of.waiting.shift();
      if (next !== undefined) next();
      else if (--of.acquired === 0) this.#owners.delete(owner);
    };
  }

  #wait({ waiting }: Owner): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(enter), 1);
        reject(this.#rules.refusal());
      }, this.#rules.waitMs);
      waiting.push(enter);
    });
  }
}
