/** Writing to the terminal or a pipe. What becomes of writes that fail stands in guard-output.ts. */
import process from "node:process";
import { escapeText } from "@svc/report";
import { wrap } from "./render/text.ts";

/** Writes lines to stdout; where there are none, nothing. */
export function printLines(lines: readonly string[]): void {
  if (lines.length === 0) return;
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** Writes to stderr what was wrong, and below it what to do. Both texts are escaped. */
export function printError(message: string, action: string): void {
  const lines = [
    ...wrap(escapeText(message), { first: "svc: ", rest: "     " }),
    ...wrap(escapeText(action), { first: "     ", rest: "     " }),
  ];
  process.stderr.write(`${lines.join("\n")}\n`);
}
