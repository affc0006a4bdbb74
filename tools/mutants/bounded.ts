/**
 * Runs one test within a time limit, and cleans up behind it. Uncaught errors belong to the running test, as in
 * `node:test`.
 */
import { Context } from "./collector.ts";

/** The result of a test. */
export interface Outcome {
  /** Its failure; null if it passed. */
  readonly failure: string | null;
  /** Whether its time ran out. */
  readonly endless: boolean;
  /** Whether a part of it still runs, or could not be cleaned up. */
  readonly spoiled: boolean;
}

/** The real timer: tests may get another (quick-time.ts). */
const { setTimeout: later } = globalThis;

/** How long a failed test may take until it is over and cleaned up, in ms. */
const CLEARING_MS = 1500;

let blame: (error: unknown) => void = () => undefined;
process.on("unhandledRejection", (error) => blame(error));
process.on("uncaughtException", (error) => blame(error));

/** Runs a test. `onFailed` is called as soon as it has failed, before the cleanup. */
export async function runBounded(
  run: (context: Context) => unknown,
  limitMs: number,
  onFailed: () => void,
): Promise<Outcome> {
  const context = new Context();
  const stray = Promise.withResolvers<never>();
  stray.promise.catch(() => undefined);
  blame = stray.reject;
  const test = (async () => run(context))();
  try {
    await within(limitMs, [test.then(() => context.close()), stray.promise]);
    return { failure: null, endless: false, spoiled: false };
  } catch (error) {
    onFailed();
    const isOver = await clearedUp(test, context);
    return { failure: String(error), endless: error instanceof OutOfTime, spoiled: !isOver };
  } finally {
    blame = () => undefined;
  }
}

class OutOfTime extends Error {}

/**
 * Resolves to whether a test is completely over: its hooks are done, and it has ended, because everything it waits for
 * is there or gone.
 */
async function clearedUp(test: Promise<unknown>, context: Context): Promise<boolean> {
  try {
    await within(CLEARING_MS, [context.close()]);
    await within(CLEARING_MS, [test.catch(() => undefined)]);
    return true;
  } catch {
    return false;
  }
}

async function within(limitMs: number, attempts: readonly Promise<unknown>[]): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = later(() => reject(new OutOfTime(`not over within ${limitMs} ms`)), limitMs);
  try {
    await Promise.race([...attempts, promise]);
  } finally {
    clearTimeout(timer);
  }
}
