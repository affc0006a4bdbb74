/** The line of a case in a file of the case set. */
import type { Case } from "../src/cases/case.ts";

/** Returns the line, with its newline. */
export function lineOf({ name, level, request, answer }: Case): string {
  return `${JSON.stringify({ name, level, request, answer })}\n`;
}
