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

const SERVER = ["--import", "tsx", fileURLToPath(new URL("../../server/src/main.ts", import.meta.url))];

export interface TestServer {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly streamId: string;
  readonly systemId: string;
  readonly publicKeyHex: string;
}

/** Starts a server that ends with the test file. */
export async function startServer(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), "svc-sdk-"));
  const data = join(folder, "data");
  const init = [...SERVER, "init", "--origin", "sdk.example/evidence", "--data", data, "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, init);
  const made = JSON.parse(stdout);
  const args = [...SERVER, "start", "--data", data, "--port", "0", "--json"];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, SVC_LOG_LEVEL: "error" },
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
    streamId: made.stream_id,
    systemId: made.system_id,
    publicKeyHex: made.public_key_hex,
  };
}
