/**
 * The server that `bench export` measures: filled once, then restarted for each export, so that its peak memory is that
 * of the export alone.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { SvcClient } from "../../packages/sdk/src/index.ts";
import { eventOf } from "../server/event.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SERVER = [join(ROOT, "packages/server/src/main.ts")];
const BATCH = 1000;

/** A deployment with a stream of so many witnessed events. */
export interface Filled {
  readonly dataFolder: string;
  readonly apiKey: string;
  readonly streamId: string;
  readonly publicKeyHex: string;
}

/** A running server of that deployment. */
export interface RunningService {
  readonly client: SvcClient;
  /** The peak memory of the process, in MiB. */
  peakMib(): number;
  close(): Promise<void>;
}

/** Makes a deployment and fills its stream; the server of that has ended. */
export async function filled(dataFolder: string, events: number): Promise<Filled> {
  const init = [...SERVER, "init", "--origin", "bench.example/evidence", "--data", dataFolder, "--json"];
  const made = JSON.parse((await promisify(execFile)(process.execPath, init)).stdout);
  const deployment = {
    dataFolder,
    apiKey: made.api_key,
    streamId: made.stream_id,
    publicKeyHex: made.public_key_hex,
  };
  const service = await started(deployment);
  const stream = service.client.stream(deployment.streamId);
  for (let from = 0; from < events; from += BATCH)
    await stream.appendBatch(Array.from({ length: Math.min(BATCH, events - from) }, (_, at) => eventOf(from + at)));
  while ((await stream.proofState()).witnessed_to_seq_no < events)
    await new Promise((resolve) => setTimeout(resolve, 100));
  await service.close();
  return deployment;
}

/** Starts a server, without limits of requests. */
export async function started({ dataFolder, apiKey }: Filled): Promise<RunningService> {
  const words = [...SERVER, "start", "--port", "0", "--data", dataFolder, "--json"];
  const child = spawn(process.execPath, words, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, SVC_KEY_REQUESTS_PER_SECOND: "0", SVC_LOG_LEVEL: "error" },
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([once(lines, "line"), once(child, "close")]);
  if (typeof line !== "string") throw new Error(`the server ended with ${line} before it listened`);
  return {
    client: new SvcClient({ baseUrl: JSON.parse(line).url, apiKey, timeoutMs: 600_000 }),
    peakMib: () => {
      const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
      return Number(kib) / 1024;
    },
    close: async () => {
      const closed = once(child, "close");
      if (child.kill("SIGTERM")) await closed;
    },
  };
}
