/** A real server in the process of the test, on a free port and over a fresh data folder. */
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type Clock, systemClock } from "@svc/host/clock";
import { type Config, readConfig } from "../../../server/src/config.ts";
import { initialize } from "../../../server/src/initialize.ts";
import { kernel } from "../../../server/src/kernel.ts";
import type { Service } from "../../../server/src/open-service.ts";
import { type RunningServer, serve } from "../../../server/src/serve.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { Client } from "./client.ts";

export const ORIGIN = "demo.example/evidence";

export type Made = Awaited<ReturnType<typeof initialize>>;

export function makeDeployment(dataFolder: string): Promise<Made> {
  return initialize({
    dataFolder,
    origin: ORIGIN,
    tenantName: "Bank",
    systemName: "Loans",
    useCase: "loan decisions",
    withKey: true,
    kernel,
    clock: systemClock,
  });
}

export interface TestServer {
  readonly made: Made;
  readonly server: RunningServer<Service>;
  readonly client: Client;
}

/** Makes a deployment and serves it. */
export async function startServer(
  t: TestContext,
  changes: Partial<Config> = {},
  clock: Clock = systemClock,
): Promise<TestServer> {
  const dataFolder = join(temporaryFolder(), "data");
  const made = await makeDeployment(dataFolder);
  // All tests of a process come from one address.
  const environment = {
    SVC_ADDRESS_REQUESTS_PER_SECOND: "0",
    SVC_LOG_LEVEL: "silent",
    SVC_SEAL_INTERVAL_MS: "20",
    SVC_PORT: "0",
    SVC_DATA: dataFolder,
  };
  const server = await serve({ ...readConfig(environment), ...changes }, { kernel, clock });
  t.after(() => server.close());
  return { made, server, client: new Client(server.url, made.api_key ?? "") };
}
