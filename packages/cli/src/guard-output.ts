/**
 * Handles writes to stdout and stderr that fail. A reader that goes away early (`svc ... | head -1`) is no error: the
 * verdict's exit code stays. Any other failure makes the run fail, since nobody got the verdict.
 */
import process from "node:process";
import { EXIT } from "./exit.ts";

/** Handles failing writes to stdout and stderr. Call once, first. */
export function guardOutput(): void {
  let hasFailed = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE" || hasFailed) return;
      hasFailed = true;
      // At the very end: more files may be verified after this, and their verdict must not take its place.
      process.once("exit", () => {
        process.exitCode = EXIT.internal;
      });
      if (stream === process.stdout) process.stderr.write(unwritable(error.code));
    });
  }
}

/**
 * Returns the error in the form of other errors, but without the code that wraps and escapes their texts: this one is a
 * word of the system.
 */
function unwritable(code = "unknown"): string {
  return `svc: The output could not be written: ${code}.\n     Make room where it goes, or send it elsewhere.\n`;
}
