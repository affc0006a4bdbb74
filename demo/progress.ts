/** The demo's output while it works: a bar that moves in a terminal, and one line a step anywhere else. */

const WIDTH = 30;
const LABEL_WIDTH = 34;

/** One step with a known amount of work. */
export class Progress {
  readonly #label: string;
  readonly #total: number;
  #shown = "";

  constructor(label: string, total: number) {
    this.#label = label;
    this.#total = total;
    this.update(0);
  }

  /** Shows how much is done. */
  update(done: number): void {
    if (!process.stdout.isTTY) return;
    const filled = Math.floor((WIDTH * done) / this.#total);
    const line =
      `  ${this.#label.padEnd(LABEL_WIDTH)} ${"█".repeat(filled)}${"░".repeat(WIDTH - filled)} ` +
      `${done}/${this.#total}`;
    if (line !== this.#shown) process.stdout.write(`\r${line}`);
    this.#shown = line;
  }

  /** Ends the step with its outcome. */
  done(outcome: string): void {
    step(this.#label, outcome);
  }
}

/** One finished step. */
export function step(label: string, outcome: string): void {
  const start = process.stdout.isTTY ? "\r\u001b[2K" : "";
  process.stdout.write(`${start}  ${label.padEnd(LABEL_WIDTH)} ${outcome}\n`);
}
