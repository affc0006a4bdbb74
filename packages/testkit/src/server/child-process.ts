/** The built program `svc-server` as a real child process: it starts three times as fast as its sources. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { serverProgram } from "../built.ts";
import { environmentOf } from "./folder-database.ts";

/** The hook that kills a process at a failpoint (packages/host/src/failpoint.ts). */
const CHAOS = new URL("../../../../tools/chaos/hook.mjs", import.meta.url).href;

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Returns the variable with what Node loads before the program: as before the tests, and what they ask for. */
function loadedFirst({ NODE_OPTIONS = "" }: Record<string, string>): Record<string, string> {
  return { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} ${NODE_OPTIONS}`.trim() };
}

/** Returns the variable with the folder where Node keeps the compiled program, if this process has one. */
function compiled(): Record<string, string> {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}

async function launch(
  words: readonly string[],
  environment: Record<string, string>,
  under: readonly string[] = [],
): Promise<ChildProcess> {
  const folder = environment.SVC_DATA ?? (words.includes("--data") ? words[words.indexOf("--data") + 1] : undefined);
  const [program = "", ...rest] = [...under, process.execPath, await serverProgram(), ...words];
  return spawn(program, rest, {
    env: {
      PATH: process.env.PATH ?? "",
      SVC_SEAL_INTERVAL_MS: "20",
      // A tracer would see it, and make it fail.
      ...(under.length === 0 ? compiled() : {}),
      ...(folder === undefined ? {} : await environmentOf(folder)),
      ...environment,
      ...loadedFirst(environment),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Runs a command to its end. A server that listens is killed: it was to be refused, and would never end. */
export async function command(words: readonly string[], environment: Record<string, string> = {}): Promise<Finished> {
  const child = await launch(words, environment);
  const output = { out: "", err: "" };
  child.stdout?.on("data", (chunk) => {
    output.out += chunk;
    if (words[0] === "start" && /http:\/\//.test(output.out)) child.kill("SIGKILL");
  });
  child.stderr?.on("data", (chunk) => {
    output.err += chunk;
  });
  const [code] = await once(child, "close");
  return { code, ...output };
}

/** Runs a command, and kills it with SIGKILL when it comes to a failpoint for the n-th time. */
export async function killedAt(
  failpoint: string,
  words: readonly string[],
  environment: Record<string, string> = {},
  nth = 1,
): Promise<void> {
  const settings = {
    ...environment,
    SVC_CHAOS: JSON.stringify({ kill: { failpoint, nth } }),
    NODE_OPTIONS: `--import ${CHAOS}`,
  };
  const { code, out, err } = await command(words, settings);
  if (code !== null) throw new Error(`the command was not ended at ${failpoint}: exit code ${code}\n${out}${err}`);
}

export interface RunningChild {
  readonly url: string;
  readonly pid: number;
  /** Resolves at the end to the exit code; null if a signal ended the process. */
  readonly ended: Promise<number | null>;
  /** Sends a signal and resolves to the exit code; null if the signal itself ended the process. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts a server on a free port and resolves once it listens. It never outlives its test. `under`: the program that
 * starts it, such as a tracer, with its arguments; it must end with the server, and as the server does.
 */
export async function startChild(
  t: TestContext,
  dataFolder: string,
  environment: Record<string, string> = {},
  under: readonly string[] = [],
): Promise<RunningChild> {
  const words = ["start", "--json", "--port", "0", "--data", dataFolder];
  const child = await launch(words, { SVC_LOG_LEVEL: "error", ...environment }, under);
  t.after(() => child.kill("SIGKILL"));
  child.stderr?.pipe(process.stderr);
  const closed = once(child, "close");
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  const first = await Promise.race([once(lines, "line"), closed]);
  if (typeof first[0] !== "string") throw new Error(`the server ended with exit code ${first[0]} before it listened`);
  const { url, pid } = JSON.parse(first[0]) as { url: string; pid: number };
  let isRunning = true;
  const ended = closed.then(([code]) => {
    isRunning = false;
    return code as number | null;
  });
  // Killing a tracer would leave the server behind.
  const send = (signal: NodeJS.Signals) => (under.length === 0 ? child.kill(signal) : process.kill(pid, signal));
  t.after(() => isRunning && send("SIGKILL"));
  return {
    url,
    pid,
    ended,
    end: (signal) => {
      send(signal);
      return ended;
    },
  };
}
