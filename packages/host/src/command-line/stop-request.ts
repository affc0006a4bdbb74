/**
 * Requests to stop a program that serves: by signal, or by Ctrl-C in the terminal in whose foreground it runs. The
 * terminal is put into raw mode, so that Ctrl-C reaches this process alone. As a signal it would also reach the package
 * managers in front of it, which end at once with code 130 and return to the prompt while requests are still being
 * finished.
 */
import { readFileSync } from "node:fs";

const EXIT_SECOND_REQUEST = 1;
const SAME_PRESS_MS = 300;
const CTRL_C = 0x03;

/** Resolves at the first request to stop, with its name; a second one ends the process at once. */
export function stopRequest(): Promise<string> {
  return new Promise((resolve) => {
    let firstAt: number | null = null;
    const onRequest = (name: string) => {
      // One key press can arrive twice if a package manager passes the signal on: a repetition within a moment counts
      // as the first.
      if (firstAt !== null && performance.now() - firstAt > SAME_PRESS_MS) process.exit(EXIT_SECOND_REQUEST);
      firstAt ??= performance.now();
      resolve(name);
    };
    process.on("SIGINT", onRequest);
    process.on("SIGTERM", onRequest);
    process.on("SIGHUP", onRequest);
    onCtrlC(() => onRequest("Ctrl-C"));
  });
}

function onCtrlC(pressed: () => void): void {
  const { stdin } = process;
  if (!stdin.isTTY || !isInForeground()) return;
  stdin.setRawMode(true);
  stdin.on("data", (keys: Buffer) => {
    if (keys.includes(CTRL_C)) pressed();
  });
  // A closed terminal reports an error here, and sends SIGHUP, which is a request to stop.
  stdin.on("error", () => undefined);
  // Only requests and signals keep the program running, not the terminal.
  stdin.unref();
}

/** Restores the terminal's mode and closes standard input, which must not keep the process alive either. */
export function releaseTerminal(): void {
  const { stdin } = process;
  if (!stdin.isTTY) return;
  try {
    if (stdin.isRaw) stdin.setRawMode(false);
  } catch {
    // The terminal was closed: there is nothing to restore.
  }
  stdin.destroy();
}

/**
 * Returns whether this process may change its terminal: a process in the background would be stopped for trying. Only
 * Linux tells.
 */
function isInForeground(): boolean {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    // After the name in parentheses: state, parent, process group, session, terminal, the terminal's foreground group.
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return group === foreground;
  } catch {
    return false;
  }
}
