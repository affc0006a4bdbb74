/** The built program `svc-witness` as a real child process: made, and started on its folder again and again. */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { COSIGNATURE_LINE, type PublicKeyHex, parseVerificationKey, selectKernel } from "@svc/core";
import { witnessProgram } from "./built.ts";
import { freePort } from "./free-port.ts";
import type { Lifetime } from "./lifetime.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** The hook that kills a process at a failpoint (packages/host/src/failpoint.ts). */
const CHAOS = new URL("../../../tools/chaos/hook.mjs", import.meta.url).href;

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

async function launch(
  words: readonly string[],
  environment: Record<string, string>,
  errors: "pipe" | "inherit",
): Promise<ChildProcess> {
  const stdio: SpawnOptions["stdio"] = ["ignore", "pipe", errors];
  return spawn(process.execPath, [await witnessProgram(), ...words], { env: environment, stdio });
}

/** The end of a command. */
export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a command to its end. */
export async function command(words: readonly string[], environment: Record<string, string>): Promise<Finished> {
  const child = await launch(words, environment, "pipe");
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

/** A witness that listens. */
export interface WitnessProcess {
  readonly url: string;
  readonly vkey: string;
  readonly pid: number;
  /** Resolves at the end to the exit code; null if a signal ended the process. */
  readonly ended: Promise<number | null>;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts the witness of an environment, and resolves when it listens. It never outlives its test. `killAt`: the
 * failpoint at which it kills itself, when it comes there for the first time after it listens.
 */
export async function startWitness(
  t: Lifetime,
  environment: Record<string, string>,
  killAt: string | null = null,
): Promise<WitnessProcess> {
  const kill = { failpoint: killAt, nth: 1, after: "witness: listening" };
  const chaos = killAt === null ? {} : { SVC_CHAOS: JSON.stringify({ kill }), NODE_OPTIONS: `--import ${CHAOS}` };
  const child = await launch(["start", "--json"], { ...environment, ...chaos }, "inherit");
  t.after(() => child.kill("SIGKILL"));
  const closed = once(child, "close");
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  const first = await Promise.race([once(lines, "line"), closed]);
  if (typeof first[0] !== "string") throw new Error(`the witness ended with exit code ${first[0]} before it listened`);
  const { url, vkey, pid } = JSON.parse(first[0]) as { url: string; vkey: string; pid: number };
  const ended = closed.then(([code]) => code as number | null);
  return {
    url,
    vkey,
    pid,
    ended,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

/** A witness with its own folder and address, running or not. */
export interface TestWitness {
  readonly name: string;
  readonly vkey: string;
  readonly publicKeyHex: PublicKeyHex;
  /** The same after it was started again. */
  readonly url: string;
  /** Lets the witness watch a log; `streams`: and the logs of the streams of its service. */
  watch(vkey: string, streams?: "streams"): Promise<void>;
  /** Ends the process. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Starts it again. */
  start(): Promise<void>;
}

/** Makes a witness of this name, which takes any number of requests, and starts it. It never outlives its test. */
export async function makeWitness(t: Lifetime, name: string): Promise<TestWitness> {
  const environment = {
    ...environmentOf(temporaryFolder()),
    SVC_WITNESS_PORT: `${await freePort()}`,
    SVC_WITNESS_ORIGIN_RATE: "0",
    SVC_WITNESS_ADDRESS_RATE: "0",
  };
  const run = async (...words: string[]) => {
    const { code, err } = await command(words, environment);
    if (code !== 0) throw new Error(`svc-witness ${words.join(" ")} ended with exit code ${code}: ${err}`);
  };
  await run("init", "--name", name);
  let running: WitnessProcess | null = await startWitness(t, environment);
  const { url, vkey } = running;
  const parsed = parseVerificationKey(selectKernel(), vkey);
  if (!parsed.ok || parsed.key.type !== COSIGNATURE_LINE) throw new Error(`${vkey} is no key of a witness`);
  return {
    name,
    vkey,
    publicKeyHex: parsed.key.publicKeyHex,
    url,
    watch: (log, streams) => run("origins", "add", "--vkey", log, ...(streams === undefined ? [] : ["--streams"])),
    end: async (signal) => {
      await running?.end(signal);
      running = null;
    },
    start: async () => {
      running = await startWitness(t, environment);
    },
  };
}
