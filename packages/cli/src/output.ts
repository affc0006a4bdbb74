/**
 * Writing to the terminal or a pipe. A reader that goes away early (`svc ... | head -1`) is no error: the verdict's exit code stays.
 * Any other failure to write makes the run fail, since a verdict that nobody got is none.
 */
import process from "node:process";
import { escapeText } from "@svc/report";
import { EXIT } from "./exit.ts";
import { wrap } from "./render/text.ts";

/** Handles failing writes to stdout and stderr. Call once, first. */
export function guardOutput(): void {
  let hasFailed = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE" || hasFailed) return;
      hasFailed = true;
      // At the very end: of many files more are verified after this, and their verdict must not take its place.
      process.once("exit", () => {
        process.exitCode = EXIT.internal;
      });
      if (stream === process.stdout)
        printError(`The output could not be written: ${error.code}.`, "Make room where it goes, or send it elsewhere.");
    });
  }
}

/** Writes lines to stdout. */
export function printLines(lines: readonly string[]): void {
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
