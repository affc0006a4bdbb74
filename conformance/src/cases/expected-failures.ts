/** A list of expected failures: the name of a case on each line, and comments behind `#`. */
import { readFileSync } from "node:fs";
import { EXIT, Refusal } from "../exit.ts";
import { nearest } from "./nearest.ts";

/**
 * Reads a list. `known`: the names of all cases, since a name that means none would hide the failure it was written
 * for. Throws Refusal: `EXIT.input` if it cannot be read, `EXIT.usage` for a name that is no case.
 */
export function readExpectedFailures(file: string, known: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [index, line] of linesOf(file).entries()) {
    const name = line.replace(/#.*/, "").trim();
    if (name === "") continue;
    if (!known.includes(name))
      throw new Refusal(
        EXIT.usage,
        `${file}:${index + 1}: ${name} is no case; the nearest name is ${nearest(name, known)}`,
      );
    names.add(name);
  }
  return names;
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split(/\r?\n/);
  } catch (error) {
    throw new Refusal(EXIT.input, `${file}: it cannot be read: ${(error as Error).message}`);
  }
}
