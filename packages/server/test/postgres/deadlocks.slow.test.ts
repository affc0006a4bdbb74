/** A crowd appends to the same streams through two servers: no transactions wait for each other in a circle. */
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { NO_POSTGRES, startPostgres } from "@svc/testkit/postgres";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";
import { kernel } from "../../src/kernel.ts";
import { serve } from "../../src/serving/serve.ts";
import { readConfig } from "../../src/settings/config.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";

const CLIENTS = 1_000;
const STREAMS = 50;
const BATCHES = 3;
const BATCH = 4;

test("1,000 clients with batches, over 50 streams and two servers: no deadlock", { skip: NO_POSTGRES }, async (t) => {
  const postgres = await startPostgres(t);
  const url = await postgres.newDatabase();
  const folder = join(temporaryFolder(), "data");
  const made = await makeDeployment(folder, { databaseUrl: url, databaseRisks: [] });
  const copy = join(temporaryFolder(), "data");
  cpSync(folder, copy, { recursive: true });
  const clients: Client[] = [];
  for (const data of [folder, copy]) {
    const config = readConfig(THIN_SERVER, {
      SVC_ADDRESS_REQUESTS_PER_SECOND: "0",
      SVC_KEY_REQUESTS_PER_SECOND: "0",
      SVC_LOG_LEVEL: "silent",
      SVC_SEAL_INTERVAL_MS: "20",
      SVC_PORT: "0",
      SVC_DATA: data,
      SVC_DATABASE_URL: url,
      SVC_EXPORTS: join(folder, "exports"),
    });
    const server = await serve(THIN_SERVER, config, { kernel });
    t.after(() => server.close());
    clients.push(new Client(server.url, made.api_key ?? ""));
  }
  const [one] = clients as [Client];
  const request = { system_id: made.system_id, use_case: "loans", policy_id: "default", metadata: {} };
  const streams: string[] = [];
  for (let number = 0; number < STREAMS; number++)
    streams.push((await one.post("/v2/streams", request)).body.stream_id);

  const work = async (number: number) => {
    const stream = streams[number % STREAMS] ?? "";
    const client = clients[Math.floor(number / STREAMS) % clients.length] ?? one;
    for (let batch = 0; batch < BATCHES; batch++) {
      const events = Array.from({ length: BATCH }, (_, index) => loan(BATCH * batch + index));
      // The server may be busy for longer than a transaction waits: then the client sends again.
      await until(`client ${number} is answered`, async () => {
        const answer = await client.appendBatch(stream, events, `${number}-${batch}`);
        assert.ok([201, 503].includes(answer.status), answer.text);
        return answer.status === 201 ? true : null;
      });
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => work(number)));

  const share = (CLIENTS / STREAMS) * BATCHES * BATCH;
  for (const stream of streams) await one.witnessed(stream, share);
  const [row] = await postgres.run(
    "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()",
    new URL(url).pathname.slice(1),
  );
  assert.equal(row?.deadlocks, 0);
});
