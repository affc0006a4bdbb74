/** The programs of the Go SDK's tests with the real server: the built server, and commands in Go. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { serverProgram } from "@svc/testkit/built";
import { go } from "./toolchain.ts";

/** A test, or `{ after }` of node:test for a whole file. */
export interface Lifetime {
  after(work: () => void | Promise<void>): void;
}

/** A running server. */
export interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly streamId: string;
  readonly systemId: string;
  readonly publicKeyHex: string;
  readonly dataFolder: string;
}

/** Resolves to the environment of Go's own tests, for which a server must be there. */
export async function serverEnvironment(): Promise<Readonly<Record<string, string>>> {
  return { SVC_SERVER: await serverProgram(), SVC_NODE: process.execPath, SVC_REQUIRE_SERVER: "1" };
}

/** Returns a folder that is deleted when the test ends. */
export function folderOf(t: Lifetime): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-go-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Builds a command of the module into a folder, and returns its path. */
export function buildCommand(name: string, folder: string): string {
  const path = join(folder, name);
  go(".", ["build", "-o", path, `./internal/${name}`]);
  return path;
}

/** Starts the built server. It ends with the test. */
export async function startService(t: Lifetime): Promise<Service> {
  const program = await serverProgram();
  const data = join(folderOf(t), "data");
  const init = [program, "init", "--origin", "go.example/evidence", "--data", data, "--json"];
  const made = JSON.parse((await promisify(execFile)(process.execPath, init)).stdout);
  const child = spawn(process.execPath, [program, "start", "--data", data, "--port", "0", "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, SVC_LOG_LEVEL: "error" },
  });
  t.after(async () => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return {
    baseUrl: JSON.parse(line).url,
    apiKey: made.api_key,
    streamId: made.stream_id,
    systemId: made.system_id,
    publicKeyHex: made.public_key_hex,
    dataFolder: data,
  };
}
