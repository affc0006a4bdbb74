/** The built program `svc-witness` as a real child process. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { buildWitness } from "../build.ts";

/** The hook that kills a process at a failpoint (packages/host/src/failpoint.ts). */
const CHAOS = new URL("../../../tools/chaos/hook.mjs", import.meta.url).href;

let built: Promise<string> | null = null;

/** Resolves to the path of the program, built once for a test file, alone in its folder. */
export function program(): Promise<string> {
  const build = async () => {
    const file = join(temporaryFolder(), "svc-witness.mjs");
    await buildWitness(file);
    return file;
  };
  built ??= build();
  return built;
}

/** The environment of a witness in a folder. */
export function environmentOf(folder: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    SVC_WITNESS_DATA: join(folder, "data"),
    SVC_WITNESS_KEYS: join(folder, "keys"),
    SVC_WITNESS_PORT: "0",
    SVC_WITNESS_LOG_LEVEL: "fatal",
  };
}

async function launch(words: readonly string[], environment: Record<string, string>): Promise<ChildProcess> {
  return spawn(process.execPath, [await program(), ...words], { env: environment, stdio: ["ignore", "pipe", "pipe"] });
}

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a command to its end. */
export async function command(words: readonly string[], environment: Record<string, string>): Promise<Finished> {
  const child = await launch(words, environment);
  const output = { out: "", err: "" };
  child.stdout?.on("data", (chunk) => {
    output.out += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    output.err += chunk;
  });
  const [code] = await once(child, "close");
  return { code, ...output };
}

export interface RunningProgram {
  readonly url: string;
  readonly vkey: string;
  /** Resolves at the end to the exit code; null if a signal ended the process. */
  readonly ended: Promise<number | null>;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts the witness of an environment, and resolves when it listens. It never outlives its test. `kill`: the failpoint
 * at which it kills itself, when it comes there for the n-th time.
 */
export async function startProgram(
  t: TestContext,
  environment: Record<string, string>,
  kill: { readonly failpoint: string; readonly nth: number } | null = null,
): Promise<RunningProgram> {
  const chaos = kill && { SVC_CHAOS: JSON.stringify({ kill }), NODE_OPTIONS: `--import ${CHAOS}` };
  const child = await launch(["start", "--json"], { ...environment, ...chaos });
  t.after(() => child.kill("SIGKILL"));
  child.stderr?.pipe(process.stderr);
  const closed = once(child, "close");
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  const first = await Promise.race([once(lines, "line"), closed]);
  if (typeof first[0] !== "string") throw new Error(`the witness ended with exit code ${first[0]} before it listened`);
  const { url, vkey } = JSON.parse(first[0]) as { url: string; vkey: string };
  const ended = closed.then(([code]) => code as number | null);
  return {
    url,
    vkey,
    ended,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}
