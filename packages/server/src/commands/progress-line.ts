/**
 * The progress of a long command, on standard error: on a terminal one line that is overwritten, elsewhere a line once
 * in a while. Standard output is for the results of commands.
 */

/** The pause between two lines in a log. */
const LOG_INTERVAL_MS = 30_000;
/** How long a command runs before a log gets its first line. */
const LOG_AFTER_MS = 10_000;
const TERMINAL_INTERVAL_MS = 100;
const CLEAR_LINE = "\r\u001b[K";

/** The line of one command. */
export interface ProgressLine {
  /** Shows the next step. `isLong`: nothing can be shown during the step, so it is shown before it in any case. */
  say(words: string, isLong?: boolean): void;
  /** Clears the line, so that later output begins at the left. */
  end(): void;
}

/** Returns a progress line. `output` and `now` are for tests. */
export function progressLine(
  output: { readonly isTTY?: boolean; write(text: string): unknown } = process.stderr,
  now: () => number = () => performance.now(),
): ProgressLine {
  const isTerminal = output.isTTY === true;
  let due = now() + (isTerminal ? 0 : LOG_AFTER_MS);
  let isShown = false;
  return {
    say: (words, isLong = false) => {
      if (now() < due && !isLong) return;
      due = now() + (isTerminal ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS);
      output.write(isTerminal ? `${CLEAR_LINE}${words}` : `svc-server: ${words}\n`);
      isShown = isTerminal;
    },
    end: () => {
      if (isShown) output.write(CLEAR_LINE);
      isShown = false;
    },
  };
}
