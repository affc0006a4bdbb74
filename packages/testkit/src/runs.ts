/** How often a property is tried. */
import process from "node:process";

/** The variable that says which part of the tests runs. */
export const PART = "SVC_TESTS";
const SHARE = 10;

/** Returns all of a property's runs, or a tenth of them in the quick part of the tests; at least one. */
export function runs(all: number): number {
  return process.env[PART] === "quick" ? Math.max(1, Math.ceil(all / SHARE)) : all;
}
