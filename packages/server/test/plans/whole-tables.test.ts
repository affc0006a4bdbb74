/**
 * No statement of a server goes through a table that grows from end to end. SQLite chooses a plan by the schema alone
 * here, since nothing is analyzed: that of an empty database is that of ten million events. `pnpm bench store plans`
 * asks PostgreSQL the same, which chooses by the rows.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { systemClock } from "@svc/host/clock";
import { ON_FILE } from "@svc/testkit/drivers";
import { Client } from "@svc/testkit/server/client";
import { useEveryPath } from "@svc/testkit/server/every-path";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { kernel } from "../../src/kernel.ts";
import { serve } from "../../src/serving/serve.ts";
import { readConfig } from "../../src/settings/config.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";
import { type ListingDatabase, openListing } from "./statements-of.ts";
import { wholeReads } from "./whole-reads.ts";

const METRICS_TOKEN = "token-of-the-metrics";
/** The one statement that goes through a table, and may: a start compares the newest events of all streams, once. */
const AT_START = /^SELECT e\.stream_event_id, .* FROM streams s\s+CROSS JOIN events e WHERE/s;

test("every statement of a server finds its rows in tables that grow by an index", ON_FILE, async (t) => {
  const made = await makeDeployment(join(temporaryFolder(), "data"));
  const databases: ListingDatabase[] = [];
  const settings = { SVC_ADDRESS_REQUESTS_PER_SECOND: "0", SVC_LOG_LEVEL: "silent", SVC_SEAL_INTERVAL_MS: "20" };
  const more = { SVC_PORT: "0", SVC_METRICS_TOKEN: METRICS_TOKEN, SVC_ARCHIVE_AFTER_DAYS: "1" };
  const often = { SVC_EPOCH_INTERVAL_MS: "20" };
  const config = readConfig(THIN_SERVER, { ...settings, ...more, ...often, SVC_DATA: made.data_folder });
  const server = await serve(THIN_SERVER, config, {
    kernel,
    clock: systemClock,
    openDatabase: (...words) => {
      const database = openListing(...words);
      databases.push(database);
      return database;
    },
  });
  t.after(() => server.close());
  const client = new Client(server.url, made.api_key ?? "");
  const request = { system_id: made.system_id, use_case: "loans", policy_id: "default", metadata: {} };
  const other: string = (await client.post("/v2/streams", request)).body.stream_id;
  await useEveryPath(client, [made.stream_id, other]);
  assert.equal((await new Client(server.url, METRICS_TOKEN).get("/metrics")).status, 200);

  const statements = databases.flatMap((database) => [...database.statements]);
  assert.ok(statements.length > 90, `${statements.length} statements`);
  const database = new DatabaseSync(join(made.data_folder, "svc.db"), { readOnly: true });
  t.after(() => database.close());
  const whole = statements.flatMap((sql) => wholeReads(database, sql).map((table) => ({ table, sql })));
  assert.deepEqual(
    whole.filter(({ table, sql }) => table !== "streams" || !AT_START.test(sql)),
    [],
  );
});

test("a statement that goes through a table is found, also where it goes through an index of all rows", ON_FILE, () => {
  const database = new DatabaseSync(":memory:");
  database.exec(
    "CREATE TABLE events (id TEXT PRIMARY KEY, no BIGINT, open BIGINT); CREATE INDEX by_open ON events (id) " +
      "WHERE open = 1",
  );
  const found = (sql: string) => wholeReads(database, sql);
  assert.deepEqual(found("SELECT * FROM events e WHERE e.no = $1"), ["events"]);
  assert.deepEqual(found("SELECT COUNT(*) FROM events"), ["events"]);
  assert.deepEqual(found("UPDATE events SET no = $1 WHERE no = $2"), ["events"]);
  assert.deepEqual(found("SELECT * FROM events WHERE id = $1"), []);
  assert.deepEqual(found("SELECT id FROM events WHERE open = 1"), []);
  assert.deepEqual(found("SELECT id FROM events ORDER BY id LIMIT 1"), []);
  database.close();
});
