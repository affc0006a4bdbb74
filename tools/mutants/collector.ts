/**
 * Stands in for `node:test` in the judge's process: tests are collected, and run as often as they are needed. A test's context has what
 * our tests use of it: `after`, `test` and `diagnostic`.
 */

/** What a test gets. */
export class Context {
  readonly #hooks: (() => unknown)[] = [];

  after(hook: () => unknown): void {
    this.#hooks.push(hook);
  }

  /** Runs a test within at once, in the same context. */
  async test(_name: string, run: Run): Promise<void> {
    await run(this);
  }

  diagnostic(): void {}

  /** Does what is to be done when the test is over, each in its turn and at most once, whatever the others come to. */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (let hook = this.#hooks.shift(); hook !== undefined; hook = this.#hooks.shift()) {
      try {
        await hook();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors);
  }
}

type Run = (context: Context) => unknown;

/** A test as its file gave it. */
export interface CollectedTest {
  readonly file: string;
  readonly name: string;
  readonly run: Run;
}

/** The tests so far, in order. */
export const collected: CollectedTest[] = [];

let loading = "";

/** Says which file the tests to come are of. */
export function loadingFile(file: string): void {
  loading = file;
}

/** Collects a test, unless it is to be skipped. */
export function test(name: string, options: Run | { readonly skip?: unknown }, run?: Run): void {
  if (typeof options === "function") collected.push({ file: loading, name, run: options });
  else if (run !== undefined && !options.skip) collected.push({ file: loading, name, run });
}

export default test;

/** What is to be done at the end is not done: the end of the process cleans up. */
export function after(): void {}
