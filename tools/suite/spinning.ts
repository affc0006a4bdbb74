/** Kills files that are over their limit and never come back to their event loop, where they would end themselves. */
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

/** A file has so long after its limit to end by itself. */
const GRACE_MS = 5_000;

/** The watch over the files of a run. */
export class Spinning {
  readonly #processes: string;
  readonly #limitMs: number;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** `processes`: the path to which each file writes its process. */
  constructor(processes: string, limitMs: number) {
    this.#processes = processes;
    this.#limitMs = limitMs;
    writeFileSync(processes, "");
  }

  /** A file begins. */
  begin(file: string): void {
    this.end(file);
    this.#timers.set(
      file,
      setTimeout(() => this.#kill(file), this.#limitMs + GRACE_MS),
    );
  }

  /** A file has ended. */
  end(file: string): void {
    clearTimeout(this.#timers.get(file));
    this.#timers.delete(file);
  }

  #kill(file: string): void {
    const lines = readFileSync(this.#processes, "utf8").split("\n").filter(Boolean);
    const processes = lines.map((line) => JSON.parse(line) as { file: string; pid: number });
    const pid = processes.findLast((one) => one.file === file)?.pid;
    if (pid === undefined) return;
    console.error(`${file} is killed: it works without a pause since ${this.#limitMs} ms, and waits for nothing.`);
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      // It has ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}
