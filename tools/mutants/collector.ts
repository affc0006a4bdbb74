/**
 * Stands in for `node:test` in the judge's process: tests are collected, and run as often as they are needed. Test files know no
 * difference, but for one that uses the context of a test, which there is none of.
 */

/** A test as its file gave it. */
export interface CollectedTest {
  readonly file: string;
  readonly name: string;
  readonly run: () => unknown;
}

/** The tests so far, in order. */
export const collected: CollectedTest[] = [];

let loading = "";

/** Says which file the tests to come are of. */
export function loadingFile(file: string): void {
  loading = file;
}

type Run = () => unknown;

/** Collects a test, unless it is to be skipped. */
export function test(name: string, options: Run | { readonly skip?: unknown }, run?: Run): void {
  if (typeof options === "function") collected.push({ file: loading, name, run: options });
  else if (run !== undefined && !options.skip) collected.push({ file: loading, name, run });
}

/** What is to be done at the end is not done: the end of the process cleans up. */
export function after(): void {}
