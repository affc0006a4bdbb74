/**
 * What a command that takes long is at, on standard error: one line that is written over where that is a terminal, and else a line once in a while.
 * Standard output stays for what the command says.
 */

/** How long a log waits for the next line. */
const LOG_INTERVAL_MS = 30_000;
/** How long a command may take until a log hears of it. */
const LOG_AFTER_MS = 10_000;
const TERMINAL_INTERVAL_MS = 100;
const CLEAR_LINE = "\r\u001b[K";

export interface ProgressLine {
  /** Says what is looked at next. `isLong`: a look that nothing can be said during, so that it is said before it. */
  say(words: string, isLong?: boolean): void;
  /** Takes the line away; what comes after it begins at the left. */
  end(): void;
}

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
