/**
 * Servers of others that run beside a test process, each with its own folder, and end with the test or with the
 * process, however that ends: a shell waits for the end of a pipe from the process, then kills the server and deletes
 * its folder.
 */
import assert from "node:assert/strict";
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { atLast, type Lifetime } from "./lifetime.ts";
import { until } from "./until.ts";

const STOPPED_MS = 20_000;

/** A server's program, and how it is treated. */
export interface Program {
  readonly name: string;
  readonly file: string;
  readonly words: readonly string[];
  readonly options: Pick<SpawnOptions, "uid" | "gid" | "env">;
  /** Resolves to whether the server takes connections. */
  readonly isReady: (pid: number) => Promise<boolean>;
  /** The signal at the end of the test. */
  readonly signal: NodeJS.Signals;
}

/** A server that can be stopped, and started again. */
export interface ServerProcess {
  /** The server's first process. Throws while it is stopped. */
  readonly pid: number;
  /** Whether that process is there. It may have ended by itself. */
  readonly isRunning: boolean;
  /** Resolves when the server takes connections. Throws with its log if it does not. */
  start(): Promise<void>;
  /** Resolves when it has ended. */
  stop(signal: NodeJS.Signals): Promise<void>;
  /** Stops all of its processes as they are, as if its machine hung; its connections stay open. Linux only. */
  hang(): void;
  /** Lets them go on. */
  wake(): void;
  /** Returns all that it has logged. */
  log(): string;
}

/** The folder of a server. */
export interface ServerFolder {
  readonly path: string;
  /** Names the one program that runs with the folder. It is not started yet. */
  program(program: Program): ServerProcess;
}

/**
 * Makes a folder that other users can enter. Its server ends at the end of the test, last, and it is deleted. `parent`:
 * a folder that other users can enter as well.
 */
export function serverFolder(t: Lifetime, parent = tmpdir()): ServerFolder {
  const path = mkdtempSync(join(parent, "svc-server-"));
  chmodSync(path, 0o755);
  const guard = startGuard(path);
  let end = async () => {};
  atLast(t, async () => {
    await end();
    rmSync(path, { recursive: true, force: true });
    guard.end();
  });
  return {
    path,
    program: (program) => {
      const server = processOf(program, join(path, "log"), guard);
      end = () => server.stop(program.signal);
      return server;
    },
  };
}

function processOf({ name, file, words, options, isReady }: Program, log: string, guard: Guard): ServerProcess {
  let child: ChildProcess | null = null;
  const failure = (what: string, cause: unknown) =>
    new Error(`${name} did not ${what}:\n${readFileSync(log, "utf8")}`, { cause });
  const start = async () => {
    assert.ok(child === null, `${name} runs`);
    const output = openSync(log, "a");
    const stdio: SpawnOptions["stdio"] = ["ignore", output, output];
    const started = spawn(file, words, { ...options, cwd: "/", stdio, detached: true });
    closeSync(output);
    started.unref();
    child = started;
    const { pid = 0 } = started;
    guard.watch(pid);
    let end: Error | null = null;
    const onEnd = (error: Error) => {
      end = error;
      guard.watch(0);
      child = null;
    };
    // A program that cannot be started has no exit.
    if (started.pid === undefined) started.on("error", onEnd);
    else started.on("exit", (code, signal) => onEnd(new Error(`it ended with ${code ?? signal}`)));
    try {
      await until(`${name} takes connections`, async () => {
        if (end !== null) throw end;
        return (await isReady(pid)) ? true : null;
      });
    } catch (error) {
      started.kill("SIGKILL");
      throw failure("start", error);
    }
  };
  const stop = async (signal: NodeJS.Signals) => {
    const running = child;
    if (running === null) return;
    running.ref();
    signalAll(running, "SIGCONT");
    const ended = once(running, "exit", { signal: AbortSignal.timeout(STOPPED_MS) });
    running.kill(signal);
    try {
      await ended;
    } catch (error) {
      running.kill("SIGKILL");
      throw failure("stop", error);
    }
  };
  return {
    get pid() {
      assert.ok(child?.pid !== undefined, `${name} is stopped`);
      return child.pid;
    },
    get isRunning() {
      return child !== null;
    },
    start,
    stop,
    hang: () => signalAll(child, "SIGSTOP"),
    wake: () => signalAll(child, "SIGCONT"),
    log: () => readFileSync(log, "utf8"),
  };
}

/** Sends a signal to a process, and then to its children: a stopped one makes no more of them. */
function signalAll(child: ChildProcess | null, signal: NodeJS.Signals): void {
  const { pid } = child ?? {};
  if (pid === undefined) return;
  const children = `/proc/${pid}/task/${pid}/children`;
  process.kill(pid, signal);
  if (!existsSync(children)) return;
  for (const each of readFileSync(children, "utf8").split(" ").filter(Boolean)) {
    try {
      process.kill(Number(each), signal);
    } catch (error) {
      // It has ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

/**
 * Reads the process of the server, 0 for none, line by line. PostgreSQL deletes the file that names it as its last act;
 * its process may stay, dead, until somebody asks for its exit code.
 */
const GUARD = `
pid=0
while read -r line; do pid=$line; done
if [ "$pid" != 0 ] && kill -QUIT "$pid"; then
  for turn in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -e "$1/data/postmaster.pid" ] || break; sleep 0.1; done
  kill -KILL "$pid"
fi
rm -rf "$1"
`;

/** The shell that survives this process. */
interface Guard {
  /** Tells it the process of the server; 0 if the server has ended. */
  watch(pid: number): void;
  end(): void;
}

/** The shell has a separate process group, which a terminal's interrupt does not reach. */
function startGuard(path: string): Guard {
  const shell = spawn("sh", ["-c", GUARD, "sh", path], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  shell.unref();
  const pipe = shell.stdin as Socket;
  pipe.unref();
  // The shell may be gone: then nothing is sent.
  pipe.on("error", () => undefined);
  return { watch: (pid) => void pipe.write(`${pid}\n`), end: () => void pipe.end() };
}
