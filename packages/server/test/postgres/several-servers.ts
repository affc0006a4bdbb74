/** Several servers of one deployment, in the test's process, and whether what they recorded is whole. */
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { Client } from "@svc/testkit/server/client";
import { type Made, makeDeployment } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { kernel } from "../../src/kernel.ts";
import { serve } from "../../src/serving/serve.ts";
import { readConfig } from "../../src/settings/config.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";

/**
 * Starts a server of a deployment on a copy of its folder; they share the folder of the packages. `settings`: more of
 * the environment.
 */
export async function serverOf(
  t: TestContext,
  made: Made,
  url: string,
  settings: Readonly<Record<string, string>> = {},
) {
  const data = join(temporaryFolder(), "data");
  cpSync(made.data_folder, data, { recursive: true });
  const server = await serve(
    THIN_SERVER,
    readConfig(THIN_SERVER, {
      SVC_ADDRESS_REQUESTS_PER_SECOND: "0",
      SVC_LOG_LEVEL: "silent",
      SVC_SEAL_INTERVAL_MS: "20",
      SVC_PORT: "0",
      SVC_DATA: data,
      SVC_DATABASE_URL: url,
      SVC_EXPORTS: join(made.data_folder, "exports"),
      ...settings,
    }),
    { kernel },
  );
  t.after(() => server.close());
  return { server, client: new Client(server.url, made.api_key ?? "") };
}

/** Makes a deployment on a database. */
export function deploymentOn(url: string): Promise<Made> {
  return makeDeployment(join(temporaryFolder(), "data"), { databaseUrl: url, databaseRisks: [] });
}

/** Waits until a stream of so many events is witnessed, and asserts that its bundle is whole and verified. */
export async function assertWhole(client: Client, made: Made, streamId: string, count: number): Promise<void> {
  await client.witnessed(streamId, count);
  const pack = await client.post("/v2/audit/packs", { stream_id: streamId, from_seq_no: 1, to_seq_no: count });
  assert.equal(assertVerified(pack.text, made.public_key_hex, "bundle").assurance.complete, true);
}
