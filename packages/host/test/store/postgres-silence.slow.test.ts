/** Servers and connections that fall silent: nothing tells of it, and the work goes on elsewhere all the same. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ON_NAMED } from "@svc/testkit/drivers";
import { startProxy } from "@svc/testkit/network";
import { sharedPostgres, startPostgres } from "@svc/testkit/postgres";
import { startPair } from "@svc/testkit/postgres-pair";
import { until } from "@svc/testkit/until";
import type { Database } from "../../src/store/database.ts";
import { add, opened, value, withCounter } from "./counter.ts";

/** The documented time after which the work goes on. */
const SILENT_MS = 20_000;

/** Begins more readings and writings than there are connections, so that all are open and idle afterwards. */
async function warm(database: Database): Promise<void> {
  await Promise.all(Array.from({ length: 12 }, () => value(database)));
  await Promise.all(Array.from({ length: 8 }, () => add(database, 1)));
}

/** Resolves to the time until readings and writings are answered, each of them sent anew when it fails. */
async function answeredAfter(database: Database): Promise<number> {
  const begin = performance.now();
  const again = <T>(work: () => Promise<T>) =>
    until("it is answered", () => work().catch(() => null), 20, 6 * SILENT_MS);
  const reading = Array.from({ length: 8 }, () => again(() => value(database)));
  const writing = Array.from({ length: 4 }, () => again(async () => (await add(database, 1)) ?? true));
  await Promise.all([...reading, ...writing]);
  return performance.now() - begin;
}

test("a primary whose machine hangs is left for the one that was promoted", ON_NAMED, async (t) => {
  const pair = await startPair(t);
  const database = opened(t, await pair.newDatabase());
  await withCounter(database);
  await warm(database);
  pair.primary.hang();
  await pair.promote();
  const ms = await answeredAfter(database);
  assert.ok(ms < SILENT_MS, `${ms} ms`);
});

test("connections that a firewall has forgotten are replaced", ON_NAMED, async (t) => {
  const server = await sharedPostgres();
  const proxy = await startProxy(t, server);
  const database = opened(t, proxy.through(await server.newDatabase({ until: t })));
  await withCounter(database);
  await warm(database);
  proxy.forget();
  const ms = await answeredAfter(database);
  assert.ok(ms < SILENT_MS, `${ms} ms`);
});

test("a statement that takes long, on a server that works, is waited for", ON_NAMED, async (t) => {
  const server = await sharedPostgres();
  const database = opened(t, await server.newDatabase({ until: t }));
  await withCounter(database);
  const slow = await database.read((reader) => reader.first("SELECT 'done' AS state FROM pg_sleep(6)"));
  assert.deepEqual(slow, { state: "done" });
});

test("a server that has no room for the question is not left", ON_NAMED, async (t) => {
  const server = await startPostgres(t);
  const url = await server.newDatabase();
  await withCounter(opened(t, url));
  const name = new URL(url).pathname.slice(1);
  await server.run(
    "CREATE ROLE narrow LOGIN PASSWORD 'narrow' CONNECTION LIMIT 1; GRANT SELECT ON counters, " +
      "unconfirmed_commits TO narrow",
    name,
  );
  const database = opened(t, url.replace(/\/\/[^@]*@/, "//narrow:narrow@"));
  // It has the one connection that there is, and is silent for longer than a server may be without a sign.
  const slow = database.read((reader) => reader.first("SELECT 'done' AS state FROM pg_sleep(12)"));
  assert.deepEqual(await slow, { state: "done" });
});
