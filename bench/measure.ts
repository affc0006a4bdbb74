/**
 * Interleaved measurement: all contenders of a work take turns, round by round, so that a slow moment of the machine
 * hits them alike. A figure is the median of a contender's rounds, a ratio the quotient of two medians. It judges no
 * figure by itself, and asserts no time.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const MAX_WARM_UP_LAPS = 40;

setFlagsFromString("--expose-gc");
/**
 * It runs before each lap, so that no contender pays for another's garbage. Laps are long, so that each pays for its
 * own.
 */
const collectGarbage = runInNewContext("gc") as () => void;

/** A contender for the work. */
export interface Contender {
  /** How many units one lap does. */
  readonly amount: number;
  /** Does the work once, checks the answer, and returns how many milliseconds the work took. Throws WrongAnswer. */
  readonly lap: () => number | Promise<number>;
  /** Takes part in so many rounds only, because it is slow. */
  readonly maxRounds?: number;
}

/** The amount of measuring. */
export interface Effort {
  readonly rounds: number;
  /** A contender runs this long before it counts, so that the runtime has optimized it. */
  readonly warmUpMs: number;
}

/** The required ratio. */
export type Target = { readonly at_least: number } | { readonly at_most: number };

/**
 * The unit of a row's figures: units of work a second, milliseconds for the whole of it, microseconds for each unit,
 * memory, waits for the disk, processors, or transactions.
 */
export type Unit = `${string}/s` | "ms" | "µs" | "bytes" | "MiB" | "syncs" | "processors" | "transactions";

/**
 * One line of the result. `reference` and `native` are null if they were not measured, `target` and `met` if there is
 * no target. `yardstick` and `ratio` are null if the yardstick could not be measured: `yardstick_name` says why then,
 * and a target is not met.
 */
export interface Row {
  readonly work: string;
  readonly unit: Unit;
  readonly wasm: number;
  readonly reference: number | null;
  readonly yardstick: number | null;
  readonly yardstick_name: string;
  readonly native: number | null;
  /** `wasm` divided by `yardstick`. */
  readonly ratio: number | null;
  readonly target: Target | null;
  readonly met: boolean | null;
}

/** Returns a row of one figure of ours beside a yardstick or a limit. */
export function row(
  work: string,
  unit: Row["unit"],
  ours: number,
  yardstick: number | null,
  yardstick_name: string,
  target: Target | null,
): Row {
  return rowOf({ work, unit, wasm: ours, reference: null, yardstick, yardstick_name, native: null, target });
}

/** A work and its contenders; each yardstick gives a separate row. */
export interface Work {
  readonly work: string;
  readonly unit: "ms" | `${string}/s`;
  readonly wasm: Contender;
  readonly reference?: Contender | null;
  readonly native?: Contender | null;
  readonly yardsticks: readonly { readonly name: string; readonly contender: Contender; readonly target?: Target }[];
}

/** A contender gave another answer than the others. Its figures mean nothing. */
export class WrongAnswer extends Error {
  override readonly name = "WrongAnswer";
}

/** Throws WrongAnswer unless both are the same. */
export function expectAnswer(what: string, actual: string | number | boolean, expected: typeof actual): void {
  if (actual !== expected) throw new WrongAnswer(`${what}: ${actual}, not ${expected}`);
}

/** Returns a contender of this process: `work` is timed, `check` is not. */
export function timed<T>(amount: number, work: () => T, check: (answer: T) => void): Contender {
  return {
    amount,
    lap() {
      const start = performance.now();
      const answer = work();
      const ms = performance.now() - start;
      check(answer);
      return ms;
    },
  };
}

/** Measures a work. */
export async function measure(
  { work, unit, wasm, reference, native, yardsticks }: Work,
  effort: Effort,
): Promise<Row[]> {
  const contenders = [wasm, ...yardsticks.map(({ contender }) => contender), reference ?? null, native ?? null];
  const figures = await interleave(contenders, effort, unit);
  const own = figures[0] ?? Number.NaN;
  return yardsticks.map(({ name, target }, index) =>
    rowOf({
      work,
      unit,
      wasm: own,
      reference: figures.at(-2) ?? null,
      yardstick: figures[index + 1] ?? Number.NaN,
      yardstick_name: name,
      native: figures.at(-1) ?? null,
      target: target ?? null,
    }),
  );
}

/** Returns a row with its ratio and verdict. */
export function rowOf(row: Omit<Row, "ratio" | "met">): Row {
  const ratio = row.yardstick === null ? null : row.wasm / row.yardstick;
  const met = row.target === null ? null : ratio !== null && isMet(row.target, ratio);
  return { ...row, ratio, met };
}

function isMet(target: Target, ratio: number): boolean {
  return "at_least" in target ? ratio >= target.at_least : ratio <= target.at_most;
}

/** Returns the median of some numbers; for an even count the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

/** Resolves to the figure of each contender, in order; null for a missing one. */
export async function interleave(
  contenders: readonly (Contender | null)[],
  { rounds, warmUpMs }: Effort,
  unit: Unit,
): Promise<(number | null)[]> {
  for (const contender of contenders) if (contender !== null) await warmUp(contender, warmUpMs);
  const laps = contenders.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    const places = [...contenders.keys()];
    // The order alternates, so that no contender always comes behind the same other one.
    for (const place of round % 2 === 0 ? places : places.reverse()) {
      const contender = contenders[place] ?? null;
      if (contender === null || round >= (contender.maxRounds ?? rounds)) continue;
      collectGarbage();
      laps[place]?.push(await contender.lap());
    }
  }
  return contenders.map((contender, place) => {
    if (contender === null) return null;
    const ms = median(laps[place] ?? []);
    return unit === "ms" ? ms : (contender.amount * 1000) / ms;
  });
}

async function warmUp({ lap }: Contender, warmUpMs: number): Promise<void> {
  for (let ms = 0, laps = 0; ms < warmUpMs && laps < MAX_WARM_UP_LAPS; laps++) ms += await lap();
}
