/** The real server as a child process, through its own commands: init, policies declare, start. */
import { type RunningProgram, run, type Settings, start } from "./program.ts";

const SERVER = ["packages/server/src/main.ts"];

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

/** Creates keys, database, tenant, system, system key and a stream in a fresh folder. */
export async function initService(dataFolder: string, origin: string, settings: Settings = {}): Promise<Initialised> {
  return runCommand(["init", "--origin", origin, "--data", dataFolder, "--use-case", "earthquakes"], settings);
}

/** Runs a command of the server to its end, and resolves to what it prints as JSON. */
export async function runCommand<Answer>(words: readonly string[], settings: Settings = {}): Promise<Answer> {
  return JSON.parse(await run([...SERVER, ...words, "--json"], settings)) as Answer;
}

/** Declares the policy of a file. */
export async function declarePolicy(dataFolder: string, file: string): Promise<void> {
  await run([...SERVER, "policies", "declare", "--file", file, "--data", dataFolder, "--json"]);
}

/** Starts the server on a free loopback port, and resolves once it listens. */
export function startService(dataFolder: string, settings: Settings = {}): Promise<RunningProgram> {
  const words = ["start", "--data", dataFolder, "--host", "127.0.0.1", "--port", "0", "--json"];
  return start("server", [...SERVER, ...words], settings);
}
