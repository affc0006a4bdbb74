/** Two copies of one deployment that both go on, as a stale backup makes them. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { systemClock } from "@svc/host/clock";
import { Client } from "@svc/testkit/server/client";
import { configOf } from "@svc/testkit/server/folder-database";
import { loan } from "@svc/testkit/server/loan";
import { type Made, makeDeployment } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { kernel } from "../../src/kernel.ts";
import { serve } from "../../src/serving/serve.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";

async function run(dataFolder: string, settings: Readonly<Record<string, string>>) {
  const environment = {
    SVC_ADDRESS_REQUESTS_PER_SECOND: "0",
    SVC_LOG_LEVEL: "silent",
    SVC_SEAL_INTERVAL_MS: "20",
    SVC_PORT: "0",
    SVC_DATA: dataFolder,
    ...settings,
  };
  return serve(THIN_SERVER, await configOf(environment), { kernel, clock: systemClock });
}

export interface Copies {
  readonly made: Made;
  readonly original: Client;
  readonly restored: Client;
  /** Ends both servers, before the end of the test. */
  readonly close: () => Promise<void>;
}

/** Resolves to a deployment with one witnessed event, and a copy of it; both continue. `settings`: of both. */
export async function copies(t: TestContext, settings: Readonly<Record<string, string>> = {}): Promise<Copies> {
  const folder = temporaryFolder();
  const made = await makeDeployment(join(folder, "original"));
  const first = await run(made.data_folder, settings);
  const client = new Client(first.url, made.api_key ?? "");
  await client.append(made.stream_id, loan(1), "loan-1");
  await client.witnessed(made.stream_id, 1);
  await first.close();
  cpSync(made.data_folder, join(folder, "restored"), { recursive: true });
  const servers = [await run(made.data_folder, settings), await run(join(folder, "restored"), settings)];
  const close = async () => {
    for (const server of servers.splice(0)) await server.close();
  };
  t.after(close);
  const [original, restored] = servers.map(({ url }) => new Client(url, made.api_key ?? "")) as [Client, Client];
  return { made, original, restored, close };
}
