/**
 * The real server as a child process, through its own commands: init, start, stop.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SERVER = ["--import", "tsx", "packages/server/src/main.ts"];

/** The output of `svc-server init --json`. It shows the key only this once. */
export interface Initialised {
  readonly origin: string;
  readonly kid: string;
  readonly public_key_hex: string;
  readonly tenant_id: string;
  readonly system_id: string;
  readonly stream_id: string;
  readonly api_key: string;
}

/** Settings of the server, added to this process's environment. */
export type Settings = Readonly<Record<string, string>>;

/** Creates keys, database, tenant, system, system key and a stream in a fresh folder. */
export async function initService(dataFolder: string, origin: string, settings: Settings = {}): Promise<Initialised> {
  const env = { ...process.env, ...settings };
  const args = [...SERVER, "init", "--origin", origin, "--data", dataFolder, "--use-case", "earthquakes", "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  return JSON.parse(stdout) as Initialised;
}

/** A running server. */
export interface RunningService {
  readonly url: string;
  /** Asks the server to drain, and resolves to its exit code. */
  stop(): Promise<number | null>;
  /** Kills the server with SIGKILL, in the middle of whatever it does; resolves when it has ended. */
  kill(): Promise<void>;
}

/** Starts the server on a free loopback port, and resolves once it listens. */
export async function startService(dataFolder: string, settings: Settings = {}): Promise<RunningService> {
  const env = { ...process.env, ...settings };
  const args = [...SERVER, "start", "--data", dataFolder, "--host", "127.0.0.1", "--port", "0", "--json"];
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log = (log + text).slice(-4000);
  });
  // A demo that fails half-way must not leave a server behind.
  const endWithUs = () => child.kill("SIGKILL");
  process.once("exit", endWithUs);
  const url = await listeningUrl(child, () => log);
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

async function listeningUrl(child: ChildProcess, log: () => string): Promise<string> {
  if (child.stdout === null) throw new Error("the server has no standard output");
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith("{")) continue;
    child.stdout.resume();
    return (JSON.parse(line) as { url: string }).url;
  }
  throw new Error(`the server ended before it listened:\n${log()}`);
}
