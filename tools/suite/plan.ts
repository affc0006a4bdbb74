/** Which part of the tests a file belongs to; its name says so. */
import { globSync } from "node:fs";

/** `quick`: the README's command, which answers in minutes. `slow`: the rest, and each property in full. */
export type Part = "quick" | "slow";

/** Where tests stand, from the root of the repository. */
export const PLACES = ["packages/*/test/**/*.test.ts", "tools/*/test/**/*.test.ts", "bench/test/**/*.test.ts"];

/** What comes before `.test.ts`: files that take long, and those whose properties are tried more often in the slow part. */
const SLOW = /\.slow\.test\.ts$/;
const PROPERTIES = /\.(?:prop|diff)\.test\.ts$/;

/** The parts that run a file. */
export function partsOf(file: string): readonly Part[] {
  if (SLOW.test(file)) return ["slow"];
  return PROPERTIES.test(file) ? ["quick", "slow"] : ["quick"];
}

/** All files of tests of a part, in the order of their names; relative to the root, which is the working folder. */
export function filesOf(part: Part, root: string): string[] {
  return globSync(PLACES, { cwd: root })
    .filter((file) => !file.includes("node_modules") && partsOf(file).includes(part))
    .sort();
}
