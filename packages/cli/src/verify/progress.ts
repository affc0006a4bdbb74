/**
 * A line for a person who waits, on a terminal. It is shown if the work takes more than half a second, and erased when
 * it is done. It goes to stderr, and never to a file or a pipe.
 */
import process from "node:process";

/** So long nothing is shown, in milliseconds. */
const QUIET_MS = 500;
const ERASE = "\r\u001b[K";

/** The line of one command. */
export class Progress {
  readonly #isShown: boolean;
  readonly #startedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #phase = "";
  #isOnScreen = false;

  /** `isWanted` is false if nothing but errors may be printed. */
  constructor(isWanted: boolean) {
    this.#isShown = isWanted && process.stderr.isTTY === true && process.env.TERM !== "dumb";
  }

  /**
   * Begins a phase, such as `reading march.bundle.json`. `expectedMs`: how long it may take without letting a timer
   * run. The text is escaped.
   */
  phase(text: string, expectedMs = 0): void {
    if (!this.#isShown) return;
    this.#phase = text;
    const leftMs = QUIET_MS - (performance.now() - this.#startedAt);
    if (this.#isOnScreen || expectedMs >= leftMs) this.#draw();
    else this.#timer ??= setTimeout(() => this.#draw(), leftMs).unref();
  }

  /** Removes the line. Call it before anything else is printed. */
  end(): void {
    clearTimeout(this.#timer);
    if (this.#isOnScreen) process.stderr.write(ERASE);
    this.#isOnScreen = false;
  }

  #draw(): void {
    process.stderr.write(`${ERASE}${this.#phase} ...`);
    this.#isOnScreen = true;
  }
}
