/** Kills files that are over their limit and never come back to their event loop, where they would end themselves. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { pausedStack } from "./paused-stack.ts";

/** A file has so long after its limit to end by itself. */
const GRACE_MS = 5_000;
/** The kernel's unit of time for programs, on every machine that Node runs on. */
const TICKS_PER_SECOND = 100;

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
      setTimeout(() => void this.#kill(file), this.#limitMs + GRACE_MS),
    );
  }

  /** A file has ended. */
  end(file: string): void {
    clearTimeout(this.#timers.get(file));
    this.#timers.delete(file);
  }

  async #kill(file: string): Promise<void> {
    const lines = readFileSync(this.#processes, "utf8").split("\n").filter(Boolean);
    const processes = lines.map((line) => JSON.parse(line) as { file: string; pid: number });
    const pid = processes.findLast((one) => one.file === file)?.pid;
    if (pid === undefined) return;
    const threads = threadsOf(pid).join(", ");
    const calls = await pausedStack(pid);
    console.error(
      `${file} is killed: for ${this.#limitMs} ms it has not come back to its event loop. ` +
        `Its threads, with their states and seconds: ${threads}\n  ${calls.join("\n  ")}`,
    );
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      // It has ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

/** Returns the name, state and processor time of each thread of a process, as Linux counts them; elsewhere nothing. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => {
      const [, name = "", rest = ""] =
        /\((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8")) ?? [];
      const [state, ...fields] = rest.split(" ");
      const [user, system] = fields.slice(10, 12).map(Number);
      return `${name} ${state} ${((user ?? 0) + (system ?? 0)) / TICKS_PER_SECOND}`;
    });
  } catch {
    return [];
  }
}
