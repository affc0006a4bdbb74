/** The program `svc-server` as a real child process. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import type { Step } from "../src/steps.ts";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const KILL_AT = new URL("./kill-at.ts", import.meta.url).href;

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function launch(words: readonly string[], environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ["--import", "tsx", MAIN, ...words], {
    env: { PATH: process.env.PATH ?? "", SVC_SEAL_INTERVAL_MS: "20", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Runs a command to its end. */
export async function command(words: readonly string[], environment: Record<string, string> = {}): Promise<Finished> {
  const child = launch(words, environment);
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

/** Runs a command that is ended with SIGKILL in a step. */
export async function killedAt(
  step: Step,
  words: readonly string[],
  environment: Record<string, string> = {},
): Promise<void> {
  const settings = { ...environment, SVC_TEST_KILL_AT: step, NODE_OPTIONS: `--import tsx --import ${KILL_AT}` };
  const { code, out, err } = await command(words, settings);
  if (code !== null) throw new Error(`the command was not ended at ${step}: exit code ${code}\n${out}${err}`);
}

export interface RunningChild {
  readonly url: string;
  /** Sends a signal and answers the exit code, null where the signal itself ended the process. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts a server on a free port and answers once it listens. It never outlives its test. */
export async function startChild(
  t: TestContext,
  dataFolder: string,
  environment: Record<string, string> = {},
): Promise<RunningChild> {
  const child = launch(["start", "--json", "--port", "0", "--data", dataFolder], {
    SVC_LOG_LEVEL: "error",
    ...environment,
  });
  t.after(() => child.kill("SIGKILL"));
  child.stderr?.pipe(process.stderr);
  const closed = once(child, "close");
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  const first = await Promise.race([once(lines, "line"), closed]);
  if (typeof first[0] !== "string") throw new Error(`the server ended with exit code ${first[0]} before it listened`);
  const { url } = JSON.parse(first[0]) as { url: string };
  return {
    url,
    end: async (signal) => {
      child.kill(signal);
      const [code] = await closed;
      return code;
    },
  };
}
