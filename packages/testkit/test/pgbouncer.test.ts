/** PgBouncer for tests hands a server connection to whichever transaction comes next, and ends with its test. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "pg";
import { NO_PGBOUNCER, startPgBouncer } from "../src/pgbouncer.ts";
import { sharedPostgres } from "../src/postgres.ts";

const options = { skip: NO_PGBOUNCER, timeout: 20_000 };

test("sessions share one connection to the server, a transaction at a time", options, async (t) => {
  const server = await sharedPostgres();
  const pooler = await startPgBouncer(t, server, { settings: { default_pool_size: "1" } });
  const url = pooler.through(await server.newDatabase({ until: t }));
  const sessions = [new Client(url), new Client(url)];
  const backends = new Set<number>();
  for (const session of sessions) {
    await session.connect();
    t.after(() => session.end());
  }
  for (const session of sessions) {
    await session.query("BEGIN");
    const { rows } = await session.query("SELECT pg_backend_pid() AS pid");
    backends.add(rows[0].pid);
    await session.query("COMMIT");
  }
  assert.equal(backends.size, 1);
  const pools = await pooler.run("SHOW POOLS", "pgbouncer");
  const database = new URL(url).pathname.slice(1);
  assert.equal(pools.find((pool) => pool.database === database)?.pool_mode, "transaction");
});

test("stopped, it refuses; started again, it is on its port", options, async (t) => {
  const pooler = await startPgBouncer(t, await sharedPostgres());
  await pooler.stop();
  await assert.rejects(pooler.run("SELECT 1"), { code: "ECONNREFUSED" });
  await pooler.start();
  assert.deepEqual(await pooler.run("SELECT 1 AS one"), [{ one: 1 }]);
});
