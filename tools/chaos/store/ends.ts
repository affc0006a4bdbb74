/** A life that its owner ends, for what the testkit ends with a test. */
import type { Lifetime } from "@svc/testkit/lifetime";

type Work = () => unknown;

export class Ends implements Lifetime {
  #works: Work[] = [];

  readonly after = ((work: Work) => {
    this.#works.push(work);
  }) as Lifetime["after"];

  /** Does all works, also those that are added meanwhile, in their order. It can be used again then. */
  async end(): Promise<void> {
    for (let work = this.#works.shift(); work !== undefined; work = this.#works.shift()) await work();
  }
}
