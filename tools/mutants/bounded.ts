/**
 * Runs one test within a time, and clears up behind it. Errors that nobody catches are the running test's, as they are to `node:test`.
 */
import { Context } from "./collector.ts";

/** How a test went. */
export interface Outcome {
  /** With what it failed; null where it did not. */
  readonly failure: string | null;
  /** Whether its time ran out. */
  readonly endless: boolean;
  /** Whether something of it goes on, or could not be cleared up. */
  readonly spoiled: boolean;
}

/** The real one: tests may get another (quick-time.ts). */
const { setTimeout: later } = globalThis;

/** How long may go by, in ms, until a test that has failed is over and cleared up. */
const CLEARING_MS = 1500;

let blame: (error: unknown) => void = () => undefined;
process.on("unhandledRejection", (error) => blame(error));
process.on("uncaughtException", (error) => blame(error));

/** Runs a test. `onFailed` is called as soon as it has failed, before anything is cleared up. */
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

/** Whether all of a test is over: its hooks are done, and it has ended, since what it waits for is there or gone. */
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
