/**
 * Replaces `node:test` in the judge's process: tests are collected, and run as often as needed. A test's context has
 * the parts that our tests use: `after`, `test`, `diagnostic` and `mock`.
 */

import type { mock } from "node:test";

/** The context of a test. */
export class Context {
  readonly #hooks: (() => unknown)[] = [];
  #mock: typeof mock | null = null;

  after(hook: () => unknown): void {
    this.#hooks.push(hook);
  }

  /** Runs a subtest at once, in the same context. */
  async test(_name: string, run: Run): Promise<void> {
    await run(this);
  }

  diagnostic(): void {}

  /** The runtime's own; what a test mocked is put back at its end. */
  get mock(): typeof mock {
    this.#mock ??= process.getBuiltinModule("node:test").mock;
    return this.#mock;
  }

  /** Runs the hooks at the end of the test, each in turn and at most once, even if others fail. */
  async close(): Promise<void> {
    this.#mock?.reset();
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

/** A test from its file. */
export interface CollectedTest {
  readonly file: string;
  readonly name: string;
  readonly run: Run;
}

/** The tests so far, in order. */
export const collected: CollectedTest[] = [];

let loading = "";

/** Sets the file of the tests to come. */
export function loadingFile(file: string): void {
  loading = file;
}

/** Collects a test, unless it is skipped. */
export function test(name: string, options: Run | { readonly skip?: unknown }, run?: Run): void {
  if (typeof options === "function") collected.push({ file: loading, name, run: options });
  else if (run !== undefined && !options.skip) collected.push({ file: loading, name, run });
}

export default test;

/** Hooks at the end of the file do not run: the end of the process cleans up. */
export function after(): void {}
