/**
 * The program `svc-server` as processes that can be killed at any moment: built once into one file, which starts three
 * times as fast as its sources, with hook.mjs loaded before it. No process outlives its parent.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { copyBuilt } from "@svc/testkit/built";
import { SERVER_PROGRAM } from "../../packages/server/build.ts";
import { Violation } from "./violation.ts";

const HOOK = new URL("hook.mjs", import.meta.url).href;
const SETTINGS = {
  SVC_LOG_LEVEL: "error",
  SVC_SEAL_INTERVAL_MS: "20",
  SVC_EPOCH_INTERVAL_MS: "20",
  SVC_KEY_REQUESTS_PER_SECOND: "0",
  SVC_ADDRESS_REQUESTS_PER_SECOND: "0",
};

/** The order for hook.mjs. */
export interface Order {
  /** Kills the process when it comes to this failpoint for the nth time, or sends it another signal there. */
  readonly kill?: { readonly failpoint: string; readonly nth: number; readonly signal?: "SIGSTOP" };
  /** How far the clock is off. */
  readonly clockMs?: number;
}

/** The end of a process, and its output. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A server that answers. */
export interface Running {
  readonly url: string;
  readonly pid: number;
  readonly ended: Promise<Ended>;
  order(order: Order): void;
  kill(signal: NodeJS.Signals): void;
}

export class Program {
  readonly #file: string;
  readonly #children: Set<ChildProcess>;
  readonly #under: readonly string[];

  private constructor(file: string, under: readonly string[], children: Set<ChildProcess>) {
    this.#file = file;
    this.#under = under;
    this.#children = children;
  }

  /**
   * Returns the same program under another, such as a tracer, with its arguments. That one must end with it, and as it
   * does. Their processes end together.
   */
  under(words: readonly string[]): Program {
    return new Program(this.#file, words, this.#children);
  }

  /** Returns the same program with one more variable in its environment. */
  setting(variable: string, value: string): Program {
    return new Program(this.#file, [...this.#under, "env", `${variable}=${value}`], this.#children);
  }

  /** Kills all its processes that still run. */
  end(): void {
    for (const child of this.#children) child.kill("SIGKILL");
  }

  /** Puts the built server into a folder. */
  static async build(folder: string): Promise<Program> {
    await copyBuilt("server", folder);
    const program = new Program(join(folder, SERVER_PROGRAM), [], new Set());
    process.once("exit", () => program.end());
    return program;
  }

  /** Runs a command to its end. */
  run(words: readonly string[], order: Order = {}): Promise<Ended> {
    return this.#spawn(words, order).ended;
  }

  /** Starts a server on a free port, and resolves when it listens; null if it ended before. `stop` kills it. */
  async start(dataFolder: string, order: Order = {}, stop?: AbortSignal): Promise<Running | null> {
    const { child, ended } = this.#spawn(["start", "--json", "--port", "0", "--data", dataFolder], order);
    stop?.addEventListener("abort", () => child.kill("SIGKILL"));
    if (child.stdout === null) throw new TypeError("a process without output");
    const lines = createInterface({ input: child.stdout });
    const [line] = await Promise.race([once(lines, "line"), ended.then(() => [null])]);
    if (typeof line !== "string") return null;
    const { url, pid } = JSON.parse(line) as { url: string; pid: number };
    return {
      url,
      pid,
      ended,
      // A process that is just ending takes no order any more.
      order: (given) => void (child.connected && child.send(given, () => undefined)),
      // Killing a tracer would leave the server behind.
      kill: (signal) => void (isGone(child) || process.kill(pid, signal)),
    };
  }

  /** Starts a server that must listen: after a crash nobody may have to help. Throws Violation. */
  async mustStart(dataFolder: string, order: Order = {}): Promise<Running> {
    const running = await this.start(dataFolder, order);
    if (running !== null) return running;
    const { code, err } = await this.run(["start", "--json", "--port", "0", "--data", dataFolder], order);
    throw new Violation(`the server does not start again by itself; a second try ended with ${code}: ${err}`);
  }

  #spawn(words: readonly string[], order: Order): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
    const [program = "", ...rest] = [...this.#under, process.execPath, this.#file, ...words];
    const child = spawn(program, rest, {
      env: {
        PATH: process.env.PATH ?? "",
        ...SETTINGS,
        NODE_COMPILE_CACHE: `${this.#file}.cache`,
        // The threads of the server load it from here, and not from the command line.
        NODE_OPTIONS: `--import ${HOOK}`,
        SVC_CHAOS: JSON.stringify(order),
      },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    this.#children.add(child);
    const said = { out: "", err: "" };
    child.stdout?.on("data", (chunk) => {
      said.out += chunk;
    });
    child.stderr?.on("data", (chunk) => {
      said.err += chunk;
    });
    const ended = once(child, "close").then(([code]) => {
      this.#children.delete(child);
      return { code: code as number | null, ...said };
    });
    return { child, ended };
  }
}

/** Says whether its end was seen: its number may be another process's by now. */
function isGone({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
