/** A program of this repository as a child process: run to its end, or started and stopped. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Settings of a program, added to this process's environment. */
export type Settings = Readonly<Record<string, string>>;

/** Runs a command to its end, and resolves to its output. `words`: the arguments of Node, in the repository's root. */
export async function run(words: readonly string[], settings: Settings = {}): Promise<string> {
  const env = { ...process.env, ...settings };
  return (await promisify(execFile)(process.execPath, words, { cwd: ROOT, env })).stdout;
}

/** A running program. */
export interface RunningProgram {
  readonly url: string;
  /** Asks the program to drain, and resolves to its exit code. */
  stop(): Promise<number | null>;
  /** Kills the program with SIGKILL, in the middle of whatever it does; resolves when it has ended. */
  kill(): Promise<void>;
}

/** Starts a program, and resolves once it says in JSON where it listens. `what`: its name in errors. */
export async function start(what: string, words: readonly string[], settings: Settings): Promise<RunningProgram> {
  const env = { ...process.env, ...settings };
  const child = spawn(process.execPath, words, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log = (log + text).slice(-4000);
  });
  // A demo that fails half-way must not leave a program behind.
  const endWithUs = () => child.kill("SIGKILL");
  process.once("exit", endWithUs);
  const url = await listeningUrl(what, child, () => log);
  const end = async (signal: NodeJS.Signals) => {
    const ended = once(child, "exit");
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    process.off("exit", endWithUs);
    return code;
  };
  return {
    url,
    stop: () => end("SIGTERM"),
    kill: async () => void (await end("SIGKILL")),
  };
}

async function listeningUrl(what: string, child: ChildProcess, log: () => string): Promise<string> {
  if (child.stdout === null) throw new Error(`the ${what} has no standard output`);
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith("{")) continue;
    child.stdout.resume();
    return (JSON.parse(line) as { url: string }).url;
  }
  throw new Error(`the ${what} ended before it listened:\n${log()}`);
}
