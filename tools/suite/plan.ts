/** Which tests a part runs, and on which store; the names of files and their folders decide. */
import { globSync } from "node:fs";

/** `quick`: the README's command, which finishes in minutes. `slow`: the rest, and each property in full. */
export type Part = "quick" | "slow";

/** The places of tests, from the root of the repository. */
export const PLACES = [
  "packages/*/test/**/*.test.ts",
  "tools/*/test/**/*.test.ts",
  "{bench,demo}/test/**/*.test.ts",
  "conformance/**/test/**/*.test.ts",
  "sdks/*/test/**/*.test.ts",
];
/** The tests of what stands on a database. */
const OF_STORES = ["packages/host/test/**/*.test.ts", "packages/server/test/**/*.test.ts"];

/** The suffixes before `.test.ts`: slow files, and files whose properties are tried more often in the slow part. */
const SLOW = /\.slow\.test\.ts$/;
/** Compilers, fuzzers, mutants: slow files that wait for nothing, and have no time limits of their own. */
const IDLE = /\.idle\.slow\.test\.ts$/;
const PROPERTIES = /\.(?:prop|diff)\.test\.ts$/;

/** Files that run together. */
export interface Run {
  readonly store: "sqlite" | "postgres";
  readonly files: readonly string[];
}

/** Returns the parts that run a file. */
export function partsOf(file: string): readonly Part[] {
  if (SLOW.test(file)) return ["slow"];
  return PROPERTIES.test(file) ? ["quick", "slow"] : ["quick"];
}

/** Returns the test files of a part at these places, in the order of their names, relative to the root. */
export function filesOf(part: Part, root: string, places: readonly string[] = PLACES): string[] {
  return globSync([...places], { cwd: root })
    .filter((file) => !file.includes("node_modules") && partsOf(file).includes(part))
    .sort();
}

/**
 * Returns the runs of a part, one after another. The slow one ends with the quick tests of what stands on a database,
 * once more on PostgreSQL.
 */
export function runsOf(part: Part, root: string): Run[] {
  const own: Run = { store: "sqlite", files: filesOf(part, root).filter((file) => !IDLE.test(file)) };
  return part === "quick" ? [own] : [own, { store: "postgres", files: filesOf("quick", root, OF_STORES) }];
}

/** Returns the run beside those of a part, of files that get the processor time that others leave; null for none. */
export function idleRunOf(part: Part, root: string): Run | null {
  const files = filesOf(part, root).filter((file) => IDLE.test(file));
  return files.length === 0 ? null : { store: "sqlite", files };
}
