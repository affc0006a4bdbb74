/**
 * The counterparts of our witness that nobody here has written, compiled from the Go module ../counterparts, and the
 * programs around them.
 */
import { execFile } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { goProgram, missingGo } from "./go.ts";

const SOURCES = fileURLToPath(new URL("../counterparts", import.meta.url));
const WAY = "node tools/install-tools.mjs go";

/** A few words that say why they cannot be compiled here; null if they can. */
export const missingCounterparts: string | null = await missingGo(SOURCES);
/** Why a test with counterparts is skipped; false if it can run, and under CI, where it then fails. */
export const NO_COUNTERPARTS: string | false =
  missingCounterparts === null || process.env.CI
    ? false
    : `${missingCounterparts} (${WAY}): the counterparts in Go are NOT TESTED`;
// A bench says it in its own way.
if (NO_COUNTERPARTS && process.env.NODE_TEST_CONTEXT !== undefined) console.error(`\n!!! ${NO_COUNTERPARTS}\n`);

/** A program of the module: what its go.mod lists as a tool. */
export type Counterpart = "addlog" | "keyagent" | "litewitness" | "notes" | "tesseralog" | "walk";

/** Resolves to the path of a program; compiles it at its first use. */
export function counterpart(name: Counterpart): Promise<string> {
  return goProgram(SOURCES, name);
}

/** Runs a program to its end, with a text as its input, and resolves to its output. Rejects if it fails. */
export async function runCounterpart(name: Counterpart, words: readonly string[], input = ""): Promise<string> {
  const running = promisify(execFile)(await counterpart(name), words);
  running.child.stdin?.end(input);
  return (await running).stdout;
}
