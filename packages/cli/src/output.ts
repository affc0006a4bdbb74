/** Writes to the terminal or a pipe. guard-output.ts handles writes that fail. */
import process from "node:process";
import { escapeText } from "@svc/report";
import { wrap } from "./render/text.ts";

/** Writes lines to stdout; nothing for no lines. */
export function printLines(lines: readonly string[]): void {
  if (lines.length === 0) return;
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** Writes to stderr the fault, and below it the next step. Both texts are escaped. */
export function printError(message: string, action: string): void {
  const lines = [
    ...wrap(escapeText(message), { first: "svc: ", rest: "     " }),
    ...wrap(escapeText(action), { first: "     ", rest: "     " }),
  ];
  process.stderr.write(`${lines.join("\n")}\n`);
}
