/**
 * Places for what is large while it is under way: each owner has so many, others of its requests wait for one, and not for ever. Kept in
 * memory, by each process for itself.
 */
import type { ServiceError } from "./errors.ts";

/** How many places an owner has, how long a request waits for one, and what it is told then. */
export interface PlaceRules {
  readonly most: number;
  readonly waitMs: number;
  readonly refusal: () => ServiceError;
}

interface Owner {
  taken: number;
  readonly waiting: (() => void)[];
}

export class Places {
  readonly #rules: PlaceRules;
  readonly #owners = new Map<string, Owner>();

  constructor(rules: PlaceRules) {
    this.#rules = rules;
  }

  /** Waits for a place of an owner's, and answers with what gives it back, which may be called more than once. Throws the refusal. */
  async take(owner: string): Promise<() => void> {
    const of = this.#owners.get(owner) ?? { taken: 0, waiting: [] };
    this.#owners.set(owner, of);
    if (of.taken < this.#rules.most) of.taken += 1;
    else await this.#wait(of);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const next = of.waiting.shift();
      if (next !== undefined) next();
      else if (--of.taken === 0) this.#owners.delete(owner);
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
