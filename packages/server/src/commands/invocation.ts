/** The words with which a person calls this program again: as it was called, in the repository or installed. */
import { relative } from "node:path";
import type { Program } from "../program/program.ts";

/** Returns the call of a program without a command. */
export function invocation({ name, callInRepository }: Pick<Program, "name" | "callInRepository">): string {
  return process.argv[1]?.endsWith(".ts") ? callInRepository : name;
}

/**
 * Returns a folder as a person would type it: relative if it is below the current one, quoted for a shell if necessary.
 */
export function shownFolder(path: string): string {
  const below = relative(process.cwd(), path);
  const shown = below === "" ? "." : below.startsWith("..") ? path : `./${below}`;
  return /^[\w@%+=:,./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`;
}
