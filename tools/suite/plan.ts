/** Which part of the tests a file belongs to; its name decides. */
import { globSync } from "node:fs";

/** `quick`: the README's command, which finishes in minutes. `slow`: the rest, and each property in full. */
export type Part = "quick" | "slow";

/** The places of tests, from the root of the repository. */
export const PLACES = ["packages/*/test/**/*.test.ts", "tools/*/test/**/*.test.ts", "{bench,demo}/test/**/*.test.ts"];

/** The suffixes before `.test.ts`: slow files, and files whose properties are tried more often in the slow part. */
const SLOW = /\.slow\.test\.ts$/;
const PROPERTIES = /\.(?:prop|diff)\.test\.ts$/;

/** Returns the parts that run a file. */
export function partsOf(file: string): readonly Part[] {
  if (SLOW.test(file)) return ["slow"];
  return PROPERTIES.test(file) ? ["quick", "slow"] : ["quick"];
}

/** Returns all test files of a part, in the order of their names, relative to the root. */
export function filesOf(part: Part, root: string): string[] {
  return globSync(PLACES, { cwd: root })
    .filter((file) => !file.includes("node_modules") && partsOf(file).includes(part))
    .sort();
}
