/** Behind PgBouncer in transaction mode each transaction may run in another process of the server, and is checked. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_PGBOUNCER, startPgBouncer } from "@svc/testkit/pgbouncer";
import { sharedPostgres } from "@svc/testkit/postgres";
import { Client } from "pg";
import { type Reader, StoreUnavailable } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/locations.ts";
import type { Risk } from "../../src/store/postgres-backend.ts";

const options = { skip: NO_PGBOUNCER, timeout: 60_000 };
const PID = "SELECT pg_backend_pid() AS pid";
const INSERT = "INSERT INTO written VALUES (1)";

/** Starts PgBouncer in front of a new database, with so many processes of the server behind it, and opens that. */
async function pooled(t: Parameters<typeof startPgBouncer>[0], size: number) {
  const server = await sharedPostgres();
  const pooler = await startPgBouncer(t, server, { settings: { default_pool_size: `${size}` } });
  const direct = await server.newDatabase({ until: t });
  const url = pooler.through(direct);
  const open = (check: (reader: Reader) => Promise<void> = async () => undefined, risks: Risk[] = []) => {
    const { database } = openDatabase({ url, risks }, { check: () => check });
    t.after(() => database.close());
    return database;
  };
  const name = new URL(direct).pathname.slice(1);
  await server.run("CREATE TABLE written (no BIGINT)", name);
  const written = async () => (await server.run("SELECT COUNT(*)::int AS n FROM written", name))[0]?.n;
  /** Ends the processes behind the pooler, which notices nothing of it on the clients' side. */
  const endProcesses = () =>
    server.run(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`);
  return { url, open, written, endProcesses };
}

test("each process of the server is checked once, in the transaction that is to write", options, async (t) => {
  const { open, written, endProcesses } = await pooled(t, 2);
  const checked: number[] = [];
  const database = open(async (reader) => {
    checked.push((await reader.first<{ pid: number }>(PID))?.pid ?? 0);
    assert.equal(await written(), writes, "nothing has been written before");
  });
  let writes = 0;
  const write = async () => {
    const pid = await database.write(async (writer) => {
      await writer.run(INSERT);
      return (await writer.first<{ pid: number }>(PID))?.pid;
    });
    writes += 1;
    assert.ok(pid !== undefined && checked.includes(pid), `${pid} of ${checked}`);
  };
  for (let no = 0; no < 10; no++) await write();
  assert.equal(new Set(checked).size, checked.length);
  const before = checked.length;
  await endProcesses();
  await write();
  assert.equal(checked.length, before + 1, "the new process was checked, on a connection that was not");
});

test("a process that has lost a setting is refused before it writes, and ended by the pooler", options, async (t) => {
  const { url, open, written } = await pooled(t, 1);
  const database = open();
  await database.write((writer) => writer.run(INSERT));
  const stranger = new Client(url);
  await stranger.connect();
  t.after(() => stranger.end());
  await stranger.query("SET synchronous_commit = off");
  let runs = 0;
  const refused = database.write(async (writer) => {
    runs += 1;
    await writer.run(INSERT);
  });
  await assert.rejects(refused, (error) => {
    assert.ok(error instanceof StoreUnavailable);
    assert.match(error.message, /synchronous_commit = off: it can lose.*SVC_DATABASE_RISKS=synchronous_commit/);
    return true;
  });
  assert.deepEqual([runs, await written()], [1, 1]);
  await database.write((writer) => writer.run(INSERT));
  assert.equal(await written(), 2);
  await stranger.query("SET synchronous_commit = off");
  await open(undefined, ["synchronous_commit"]).write((writer) => writer.run(INSERT));
  assert.equal(await written(), 3);
});

test("a process that only reads is refused, and a check that rejects is asked again", options, async (t) => {
  const { url, open, written } = await pooled(t, 1);
  let fault: Error | null = new StoreUnavailable("it has lost events");
  const database = open(async () => {
    if (fault !== null) throw fault;
  });
  const write = () => database.write((writer) => writer.run(INSERT));
  for (let time = 0; time < 2; time++) await assert.rejects(write(), fault);
  fault = null;
  await write();
  const stranger = new Client(url);
  await stranger.connect();
  t.after(() => stranger.end());
  await stranger.query("SET default_transaction_read_only = on");
  await assert.rejects(write(), /only reads now/);
  await write();
  assert.equal(await written(), 2);
});

test(
  "connections through the pooler leave nothing behind: neither settings nor locks nor statements",
  options,
  async (t) => {
    const { url, open } = await pooled(t, 1);
    const database = open();
    for (let time = 0; time < 3; time++) await database.write((writer) => writer.run(INSERT), { isLocking: true });
    await database.read((reader) => reader.all("SELECT * FROM written"));
    await assert.rejects(database.write((writer) => writer.run("INSERT INTO nowhere VALUES (1)")));
    const next = new Client(url);
    await next.connect();
    t.after(() => next.end());
    const { rows } = await next.query(`SELECT current_setting('statement_timeout') AS statement,
    current_setting('lock_timeout') AS lock, current_setting('idle_in_transaction_session_timeout') AS idle,
    (SELECT COUNT(*)::int FROM pg_prepared_statements) AS prepared,
    (SELECT COUNT(*)::int FROM pg_locks WHERE pid = pg_backend_pid() AND locktype IN ('advisory', 'tuple')) AS locks`);
    assert.deepEqual(rows, [{ statement: "0", lock: "0", idle: "0", prepared: 0, locks: 0 }]);
  },
);
