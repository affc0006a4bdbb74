/** The rows that a primary shows are believed once its standbys have all of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ON_NAMED } from "@svc/testkit/drivers";
import type { Lifetime } from "@svc/testkit/lifetime";
import { startPgBouncer } from "@svc/testkit/pgbouncer";
import { type PostgresPair, startPair } from "@svc/testkit/postgres-pair";
import { until } from "@svc/testkit/until";
import { Client } from "pg";
import { AnswerLost, type Database, StoreUnavailable } from "../../src/store/database.ts";
import { PostgresReaders } from "../../src/store/postgres.ts";
import { COMMITS } from "../../src/store/postgres-backend.ts";
import { PrimaryDiscovery } from "../../src/store/postgres-primary-discovery.ts";
import { add, opened, value, withCounter } from "./counter.ts";

const WAITING = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%COMMIT'";

/** Starts a pair with a database for a user without any right on the server, as the one of a deployment is. */
async function pairWithDatabase(t: Lifetime): Promise<{ pair: PostgresPair; name: string }> {
  const pair = await startPair(t);
  const name = /\/(\w+)\?/.exec(await pair.newDatabase())?.[1] ?? "";
  await pair.primary.run(
    `CREATE ROLE plain LOGIN PASSWORD 'plain'; ALTER DATABASE ${name} OWNER TO plain; GRANT CREATE ON SCHEMA ` +
      `public TO plain`,
    name,
  );
  return { pair, name };
}

const asPlain = (url: string) => url.replace(/\/\/[^@]*@/, "//plain:plain@");
const counted = ({ primary }: PostgresPair, name: string) => primary.run("SELECT value::int FROM counters", name);

/** Begins an addition, and resolves when its commit waits for the standby that is away. */
async function addWaiting({ primary }: PostgresPair, database: Database): Promise<{ readonly lost: Promise<void> }> {
  const before = (await primary.run(WAITING)).length;
  const lost = assert.rejects(add(database, 1), AnswerLost);
  lost.catch(() => undefined);
  await until("it waits for the standby", async () => ((await primary.run(WAITING)).length > before ? true : null));
  return { lost };
}

/** Reads at the same time, so that connections are open and idle afterwards. */
const warm = (database: Database) => Promise.all(Array.from({ length: 8 }, () => value(database)));

test(
  "a row that a primary shows after its restart, and its standby does not have, is not read",
  ON_NAMED,
  async (t) => {
    const { pair, name } = await pairWithDatabase(t);
    const database = opened(t, asPlain(pair.url(name)));
    await withCounter(database);
    await pair.standby.stop("immediate");
    const { lost } = await addWaiting(pair, database);
    await pair.primary.stop("immediate");
    await lost;
    await pair.primary.start();
    assert.deepEqual(await counted(pair, name), [{ value: 1 }]);
    await assert.rejects(value(database), StoreUnavailable);
    await assert.rejects(add(database, 1), StoreUnavailable);
    await pair.standby.start();
    assert.equal(await until("the primary is read", () => value(database).catch(() => null)), 1);
  },
);

test("neither through a pooler, whose connections outlive the restart", ON_NAMED, async (t) => {
  const { pair, name } = await pairWithDatabase(t);
  const pooler = await startPgBouncer(t, pair.primary);
  const database = opened(t, pooler.through(pair.primary.url(name)));
  await withCounter(database);
  await warm(database);
  await pair.standby.stop("immediate");
  const { lost } = await addWaiting(pair, database);
  await pair.primary.stop("immediate");
  await lost;
  await pair.primary.start();
  assert.deepEqual(await counted(pair, name), [{ value: 1 }]);
  const read = await Promise.allSettled(Array.from({ length: 12 }, () => value(database)));
  for (const one of read) assert.ok(one.status === "rejected" && one.reason instanceof StoreUnavailable);
  await pair.standby.start();
  assert.equal(await until("the primary is read", () => value(database).catch(() => null)), 1);
});

for (const [what, end] of [
  ["cancelled", "pg_cancel_backend"],
  ["ended", "pg_terminate_backend"],
] as const)
  test(
    `a commit that is ${what} while it waits for the standby is not read before that has it`,
    ON_NAMED,
    async (t) => {
      const { pair, name } = await pairWithDatabase(t);
      const database = opened(t, asPlain(pair.primary.url(name)));
      await withCounter(database);
      await warm(database);
      await pair.standby.stop("immediate");
      const { lost } = await addWaiting(pair, database);
      assert.deepEqual(await warm(database), Array(8).fill(0), "what is on the standby is read");
      await pair.primary.run(`SELECT ${end}(pid) FROM (${WAITING}) AS waiting`);
      await lost;
      assert.deepEqual(await counted(pair, name), [{ value: 1 }]);
      await assert.rejects(value(database), StoreUnavailable);
      // A transaction that writes nothing waits for no standby by itself.
      const reading = database.write((writer) => writer.first("SELECT value FROM counters"));
      await assert.rejects(reading, StoreUnavailable);
      await pair.standby.start();
      assert.equal(await until("the primary is read", () => value(database).catch(() => null)), 1);
    },
  );

test("commits that somebody else's snapshot keeps in the table are not read again and again", ON_NAMED, async (t) => {
  const { pair, name } = await pairWithDatabase(t);
  const url = asPlain(pair.primary.url(name));
  const database = opened(t, url);
  await withCounter(database);
  const other = new Client({ connectionString: pair.primary.url(name) });
  await other.connect();
  t.after(() => other.end());
  await other.query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1");
  await pair.primary.run(`INSERT INTO ${COMMITS} SELECT i % 500 FROM generate_series(1, 50000) i`, name);
  await pair.primary.run(`DELETE FROM ${COMMITS}`, name);
  const discovery = new PrimaryDiscovery();
  const readers = new PostgresReaders({ url, risks: [] }, discovery);
  t.after(() => {
    discovery.close();
    return readers.close();
  });
  const pages = async (view: string) => {
    const [row = {}] = await pair.primary.run(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT ${view}`, name);
    const [{ Plan: plan } = { Plan: {} }] = row["QUERY PLAN"] as { readonly Plan: Readonly<Record<string, number>> }[];
    return (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
  };
  assert.ok((await pages(discovery.view)) > 200);
  await add(database, 1);
  for (const _ of [1, 2, 3])
    assert.equal(
      (await readers.read((reader) => reader.first<{ value: number }>("SELECT value FROM counters")))?.value,
      1,
    );
  const read = await pages(discovery.view);
  assert.ok(read < 20, `${read} pages of 50,000 deleted rows: ${discovery.view}`);
});

test("what others have done while the standby is away holds up no reading", ON_NAMED, async (t) => {
  const { pair, name } = await pairWithDatabase(t);
  const [database, other] = [opened(t, asPlain(pair.primary.url(name))), opened(t, asPlain(pair.primary.url(name)))];
  await withCounter(database);
  await Promise.all([value(database), value(other)]);
  await add(other, 1);
  await until("the commit is confirmed", async () => {
    const [row] = await pair.primary.run(`SELECT COUNT(*)::int AS n FROM ${COMMITS}`, name);
    return row?.n === 0 ? true : null;
  });
  await pair.standby.stop("immediate");
  const undone = other.write(async (writer) => {
    await writer.run("UPDATE counters SET value = value + 1");
    throw new Error("it changes its mind");
  });
  await assert.rejects(undone, /changes its mind/);
  // As the server does by itself: it waits for no standby.
  await pair.primary.run("SET synchronous_commit = local; ANALYZE counters", name);
  assert.equal(await value(database), 1);
});
