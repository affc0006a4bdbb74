/**
 * A database that shards has the rows of a stream in one place. Every statement that records, seals or reads must
 * therefore name the key of each table that grows, and no transaction may touch two streams unless a group of requests
 * does, which can be split. The statements are those that a server has run, as PostgreSQL's log has them and its parser
 * reads them.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { ON_NAMED } from "@svc/testkit/drivers";
import { startPostgres } from "@svc/testkit/postgres";
import { LOGS_STATEMENTS, type Ran, StatementLog } from "@svc/testkit/postgres-statements";
import { Client } from "@svc/testkit/server/client";
import { useEveryPath } from "@svc/testkit/server/every-path";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { KEYS, OF_SERVICE_LOG, SMALL } from "@svc/testkit/server/table-keys";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";
import { kernel } from "../../src/kernel.ts";
import { serve } from "../../src/serving/serve.ts";
import { readConfig } from "../../src/settings/config.ts";
import { appendPart } from "../../src/streams/append.ts";
import { prepareRequest } from "../../src/streams/appending.ts";
import { systemKeysOf } from "../../src/tenancy/system-keys.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";
import { NEED_NO_KEY, shown, useOf } from "./exceptions.ts";
import { tableUses } from "./table-uses.ts";

const DAY_MS = 86_400_000;
const STREAM = /str_[0-9a-z]{26}/g;

/** A deployment on a server that logs its statements. */
async function deployment(t: TestContext) {
  const postgres = await startPostgres(t, { settings: LOGS_STATEMENTS });
  const url = await postgres.newDatabase();
  const folder = join(temporaryFolder(), "data");
  const made = await makeDeployment(folder, { databaseUrl: url, databaseRisks: [] });
  const log = new StatementLog(postgres, url);
  const time = { aheadMs: 0 };
  const ends: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const end of ends.splice(0)) await end();
  };
  t.after(close);
  const served = async (settings: Readonly<Record<string, string>> = {}) => {
    const config = readConfig(THIN_SERVER, {
      SVC_ADDRESS_REQUESTS_PER_SECOND: "0",
      SVC_LOG_LEVEL: "silent",
      SVC_SEAL_INTERVAL_MS: "20",
      SVC_EPOCH_INTERVAL_MS: "20",
      SVC_PORT: "0",
      SVC_DATA: folder,
      SVC_DATABASE_URL: url,
      ...settings,
    });
    const server = await serve(THIN_SERVER, config, { kernel, clock: () => Date.now() + time.aheadMs });
    ends.push(() => server.close());
    return { server, client: new Client(server.url, made.api_key ?? "") };
  };
  const newStream = async (client: Client): Promise<string> => {
    const request = { system_id: made.system_id, use_case: "loans", policy_id: "default", metadata: {} };
    return (await client.post("/v2/streams", request)).body.stream_id;
  };
  const run = (sql: string) => postgres.run(sql, new URL(url).pathname.slice(1));
  return { made, log, served, close, newStream, run, time };
}

/** Resolves to the uses of tables without their keys. Rejects for a table that nobody has classed. */
async function withoutKey(sql: string) {
  const uses = await tableUses(sql);
  const unknown = uses.find(
    ({ table }) => !(table in KEYS) && !SMALL.has(table) && !OF_SERVICE_LOG.has(table) && !table.startsWith("pg_"),
  );
  assert.equal(unknown, undefined, `say in table-keys.ts how ${unknown?.table} grows: ${shown(sql)}`);
  return uses.filter(({ table, named }) => table in KEYS && !named.has(KEYS[table] ?? "")).map(({ table }) => table);
}

/** Returns the streams that a transaction names. Everything else that it touches has them in its rows alone. */
function streamsOf(transaction: readonly Ran[]): string[] {
  return [...new Set(transaction.flatMap(({ values }) => values.match(STREAM) ?? []))];
}

test("every statement that records, seals or reads names the key of each table that grows", ON_NAMED, async (t) => {
  const { made, log, served, newStream, run, time } = await deployment(t);
  const { server, client } = await served();
  const streams = [made.stream_id, await newStream(client)] as const;
  // The statements of a start are not looked at: it compares all streams, and takes up their checkpoints, once.
  await until("the service log is begun", async () => {
    const [state] = await run("SELECT 1 AS begun FROM service_log WHERE queued_stream_id IS NULL");
    return state ?? null;
  });
  await log.take("svc-server");
  await useEveryPath(client, streams);
  // A message that cannot be done is put off.
  await run(
    `INSERT INTO outbox (outbox_id, tenant_id, kind, subject, payload, created_at, attempts, next_attempt_at, stream_id)
     VALUES ('obx_1', '${made.tenant_id}', 'witness.cosign', 'chk_none', '{}', '', 0, '', '${made.stream_id}')`,
  );
  await until("a message has failed", async () => {
    const [message] = await run("SELECT last_error FROM outbox WHERE outbox_id = 'obx_1' AND attempts > 0");
    return message?.last_error ?? null;
  });
  // A new connection is asked first whether its server has the last event.
  await run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'svc-server'");
  await until("events are recorded again", async () => {
    const { status } = await client.append(streams[0], loan(99));
    return status === 201 ? true : null;
  });
  time.aheadMs = 31 * DAY_MS;
  const forgetting = server.service.jobs.find(({ name }) => name === "idempotency-records");
  await until("old keys are forgotten", async () => {
    forgetting?.wake();
    return (await run("SELECT 1 FROM idempotency_records")).length === 0 ? true : null;
  });
  const transactions = await log.take("svc-server");

  const statements = new Set(transactions.flat().map(({ sql }) => sql));
  const met = new Set<string>();
  const forgotten: string[] = [];
  const seen = new Set<string>();
  for (const sql of statements) {
    for (const { table } of await tableUses(sql)) seen.add(table);
    const tables = new Set(await withoutKey(sql));
    for (const table of tables) {
      const name = useOf(table, sql);
      if (NEED_NO_KEY.has(name)) met.add(name);
      else forgotten.push(name);
    }
    // Without the names of keys every table that has one would be found.
    const keyless = sql.replaceAll(/\b(?:stream_id|scope_hash|origin)\b/g, "no_key");
    const all = (await tableUses(sql)).filter(({ table }) => table in KEYS).map(({ table }) => table);
    assert.deepEqual(new Set(await withoutKey(keyless)), new Set(all), sql);
  }
  assert.deepEqual(forgotten, [], "name the key in the statement, so that one shard can answer it");
  assert.deepEqual(
    [...NEED_NO_KEY].filter((name) => !met.has(name)),
    [],
    "no statement needs these exceptions any more",
  );
  assert.deepEqual(
    Object.keys(KEYS).filter((table) => !seen.has(table)),
    [],
    "no statement has touched these tables",
  );
  assert.ok([...statements].some((sql) => sql.includes("last_error = $2")));
  assert.deepEqual(
    transactions.filter((one) => streamsOf(one).length > 1).map((one) => one.map(({ sql }) => shown(sql))),
    [],
    "one transaction for requests to several streams",
  );
});

test(
  "a group of requests to several streams is one transaction, or is split into one for each",
  ON_NAMED,
  async (t) => {
    const { made, log, served, close, newStream } = await deployment(t);
    for (const [settings, most] of [
      [{}, 3],
      [{ SVC_GROUP_STREAMS: "2" }, 2],
      [{ SVC_GROUP_STREAMS: "1" }, 1],
    ] as const) {
      const { server, client } = await served(settings);
      const { context } = server.service;
      const { principal } = (await systemKeysOf(context).find(`Bearer ${made.api_key}`)) ?? assert.fail();
      const append = context.parts.use(appendPart);
      const streams = [await newStream(client), await newStream(client), await newStream(client)] as const;
      const asked = async (streamId: string, idempotencyKey: string, afterKey: string | null = null) => {
        const event = loan(1);
        const bytes = Buffer.from(JSON.stringify(event));
        const request = { principal, streamId, events: [event], isBatch: false, headMatch: null, bytes };
        const rows = await append.append(prepareRequest(context, { ...request, idempotencyKey, afterKey }));
        return rows.map(({ seq_no }) => seq_no);
      };
      await log.take("svc-server");
      const [one, two, three] = streams;
      // In one turn they are one group.
      const outcomes = await Promise.allSettled([
        asked(one, `${one}-a`),
        asked(two, `${one}-b`),
        asked(one, `${one}-c`, `${one}-a`),
        asked(three, `${one}-d`),
        asked(two, `${one}-e`, `${one}-b`),
        asked(three, `${one}-a`),
      ]);
      const numbers = outcomes.map((outcome) =>
        outcome.status === "fulfilled" ? outcome.value[0] : outcome.reason.code,
      );
      const isLast = numbers[5] === "idempotency_conflict";
      // Two transactions may meet at one key: either has it, and the other is refused.
      assert.deepEqual(
        isLast ? numbers : [numbers[0], numbers[2]],
        isLast ? [1, 1, 2, 1, 2, "idempotency_conflict"] : ["idempotency_conflict", "predecessor_missing"],
      );
      const transactions = await log.take("svc-server");
      const recording = transactions.filter((ran) => ran.some(({ sql }) => sql.startsWith("INSERT INTO events")));
      const counts = recording.map((ran) => streamsOf(ran).length);
      assert.equal(Math.max(...counts), most, JSON.stringify(settings));
      assert.deepEqual(new Set(recording.flatMap(streamsOf)), new Set(streams));
      await close();
    }
  },
);
