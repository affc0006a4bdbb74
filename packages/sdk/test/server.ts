/** A real server as a child process, with a fresh data folder and an API key. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const SERVER = [fileURLToPath(new URL("../../server/src/main.ts", import.meta.url))];

export interface TestServer {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** A key that may erase, and nothing else. */
  readonly eraseKey: string;
  readonly streamId: string;
  readonly systemId: string;
  readonly publicKeyHex: string;
  readonly dataFolder: string;
  /** Makes another key the sealing key. */
  readonly rotate: () => Promise<unknown>;
}

/** Starts a server that ends with the test file. */
export async function startServer(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), "svc-sdk-"));
  const data = join(folder, "data");
  const init = [...SERVER, "init", "--origin", "sdk.example/evidence", "--data", data, "--json"];
  const run = async (words: readonly string[]) =>
    JSON.parse((await promisify(execFile)(process.execPath, words)).stdout);
  const made = await run(init);
  const { api_key: eraseKey } = await run([...SERVER, "keys", "create", "--allow", "erase", "--data", data, "--json"]);
  const args = [...SERVER, "start", "--data", data, "--port", "0", "--json"];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, SVC_LOG_LEVEL: "error", PROVENANCE_LANE_ENABLED: "1" },
  });
  after(async () => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true });
  });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return {
    baseUrl: JSON.parse(line).url,
    apiKey: made.api_key,
    eraseKey,
    streamId: made.stream_id,
    systemId: made.system_id,
    publicKeyHex: made.public_key_hex,
    dataFolder: data,
    rotate: () => run([...SERVER, "keys", "rotate-signing", "--data", data, "--json"]),
  };
}
