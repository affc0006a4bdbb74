/** `svc --version`, answered without any other part of the program. */
import process from "node:process";
import { VERSION } from "@svc/core/version";
import { isPlanted } from "./planted-options.ts";

/** Prints the version and returns true if that is the whole of the call. */
export function answersVersion(args: readonly string[]): boolean {
  // The code that looks at all options refuses a file of that name.
  if (args.length !== 1 || args[0] !== "--version" || isPlanted("--version")) return false;
  process.stdout.write(`svc ${VERSION}\n`);
  return true;
}
