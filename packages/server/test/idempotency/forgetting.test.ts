/** On a server, forgetting holds up no append, and looks at no key that it has forgotten before. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { serviceTime } from "@svc/host/clock";
import { type Database, openDatabase, type SqlValue, type Writer } from "@svc/host/store";
import { newServerPlace, ON_NAMED } from "@svc/testkit/drivers";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";
import { removeRecords } from "../../src/idempotency/store.ts";
import { kernel } from "../../src/kernel.ts";
import { serve } from "../../src/serving/serve.ts";
import { readConfig } from "../../src/settings/config.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";
import { changed } from "../context-under-test.ts";

const DAY_MS = 86_400_000;
const PORTION = 200;
const START = Date.now() - DAY_MS;

/** Serves a deployment on PostgreSQL; the database is opened once more, as another server would. */
async function served(t: TestContext) {
  const place = await newServerPlace(t);
  const folder = join(temporaryFolder(), "data");
  const made = await makeDeployment(folder, { databaseUrl: place.url, databaseRisks: place.risks });
  const config = readConfig(THIN_SERVER, {
    SVC_ADDRESS_REQUESTS_PER_SECOND: "0",
    SVC_LOG_LEVEL: "silent",
    SVC_PORT: "0",
    SVC_DATA: folder,
    SVC_DATABASE_URL: place.url,
  });
  const time = { aheadMs: 0 };
  const server = await serve(THIN_SERVER, config, { kernel, clock: () => Date.now() + time.aheadMs });
  const { database } = openDatabase(place);
  t.after(() => server.close());
  t.after(() => database.close());
  return { made, server, client: new Client(server.url, made.api_key ?? ""), database, time };
}

/** Adds records, one a second, none of which is taken from the indexes before the test is over. */
function fill(database: Database, tenantId: string, count: number): Promise<void> {
  return database.write((writer) =>
    writer.script(`ALTER TABLE idempotency_records SET (autovacuum_enabled = off);
      INSERT INTO idempotency_records (scope_hash, tenant_id, route, request_mac, stream_id, from_seq_no, to_seq_no, created_at)
      SELECT 'scope ' || n, '${tenantId}', 'POST /x', '', 'str_1', 0, 0,
        to_char(timestamptz '${serviceTime(START)}' AT TIME ZONE 'UTC' + n * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') FROM generate_series(0, ${count - 1}) n`),
  );
}

async function count(database: Database): Promise<number> {
  const sql = "SELECT COUNT(*) AS n FROM idempotency_records";
  return (await database.read((reader) => reader.first<{ n: number }>(sql)))?.n ?? -1;
}

/** Resolves to the pages that a query looks at. */
async function pagesOf(database: Database, sql: string, values: readonly SqlValue[]): Promise<number> {
  const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`;
  // It runs the query, so it is no question for a reader.
  const row = await database.write((writer) => writer.first<Record<string, string | object>>(explain, ...values));
  const plan = row?.["QUERY PLAN"] ?? assert.fail();
  const [{ Plan: root }] = (typeof plan === "string" ? JSON.parse(plan) : plan) as [{ Plan: Record<string, number> }];
  return (root["Shared Hit Blocks"] ?? Number.NaN) + (root["Shared Read Blocks"] ?? Number.NaN);
}

test("appends and repeated requests are answered while a portion is being removed", ON_NAMED, async (t) => {
  const { made, client, database } = await served(t);
  const append = (key: string) => client.append(made.stream_id, loan(1), key);
  const first = await append("old");
  await database.write(async (writer) => {
    const before = serviceTime(Date.now() + DAY_MS);
    assert.equal((await removeRecords(writer, { from: "", before }, PORTION)).count, 1);
    // The portion is not committed yet, and nobody waits for it.
    assert.equal((await append("new")).status, 201);
    const again = await append("old");
    assert.deepEqual([again.status, again.text], [201, first.text]);
    await client.appendBatch(made.stream_id, [loan(2), loan(3)], "batch");
  });
  const anew = await append("old");
  assert.deepEqual([anew.status, anew.body.seq_no], [201, 5], "it is forgotten, and new");
});

test("a portion costs as much behind many that are gone as it does at first", ON_NAMED, async (t) => {
  const { made, database } = await served(t);
  const portions = 40;
  await fill(database, made.tenant_id, (portions + 2) * PORTION);
  const before = serviceTime(START + DAY_MS);
  const asked: { readonly sql: string; readonly values: readonly SqlValue[] }[] = [];
  let from = "";
  const remove = () =>
    database.write(async (writer) => {
      const all: Writer["all"] = (sql, ...values) => {
        asked.push({ sql, values });
        return writer.all(sql, ...values);
      };
      const { count: removed, upTo } = await removeRecords(changed(writer, { all }), { from, before }, PORTION);
      assert.equal(removed, PORTION);
      from = upTo ?? assert.fail();
    });
  await remove();
  for (let portion = 1; portion < portions; portion++) await remove();
  const look = async () => {
    await remove();
    const { sql, values } = asked.at(-1) ?? assert.fail();
    return {
      anew: await pagesOf(database, sql, ["", ...values.slice(1)]),
      goesOn: await pagesOf(database, sql, values),
    };
  };
  const { anew, goesOn } = await look();
  // Each look leaves marks for the next, but the removed rows stay in the index.
  assert.ok(goesOn < 20 && anew > 2 * goesOn, `${goesOn} pages from where it ended, ${anew} from the beginning`);
});

test("all that is old goes, portion by portion, and what comes meanwhile stays", ON_NAMED, async (t) => {
  const { made, client, server, database, time } = await served(t);
  await fill(database, made.tenant_id, 5 * PORTION + 7);
  // The server has looked before, and knows that nothing older than its limit is left.
  time.aheadMs = 400 * DAY_MS;
  const job = server.service.jobs.find(({ name }) => name === "idempotency-records") ?? assert.fail();
  let appended = 0;
  await until("the old ones are gone", async () => {
    job.wake();
    appended += 1;
    assert.equal((await client.append(made.stream_id, loan(appended), `${appended}`)).status, 201);
    return (await count(database)) === appended ? true : null;
  });
  const rows = await database.read((reader) =>
    reader.all<{ options: string }>(
      "SELECT reloptions::text AS options FROM pg_class WHERE oid = 'idempotency_records'::regclass",
    ),
  );
  assert.match(rows[0]?.options ?? "", /autovacuum_vacuum_scale_factor=0\.05/);
});
