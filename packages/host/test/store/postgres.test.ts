/** A server can do more to its callers than a file: it is away, only reads, undoes, answers late, or not at all. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ON_NAMED } from "@svc/testkit/drivers";
import { startProxy } from "@svc/testkit/network";
import { startPostgres } from "@svc/testkit/postgres";
import { startPair } from "@svc/testkit/postgres-pair";
import { until } from "@svc/testkit/until";
import { AnswerLost, type Database, StoreUnavailable } from "../../src/store/database.ts";
import { openReaders } from "../../src/store/locations.ts";
import { StatementRefused } from "../../src/store/postgres-fault.ts";
import { add, opened, value, withCounter } from "./counter.ts";

const isCommit = (chunk: Buffer) => chunk.includes("COMMIT");

test("a commit whose answer is lost fails with AnswerLost, whether it happened or not", ON_NAMED, async (t) => {
  const server = await startPostgres(t);
  const proxy = await startProxy(t, server);
  const database = opened(t, proxy.through(await server.newDatabase()));
  await withCounter(database);
  for (const [way, after] of [
    ["swallow", 1],
    ["lose", 1],
  ] as const) {
    const lost = proxy[way](isCommit);
    await assert.rejects(add(database, 1), AnswerLost);
    await lost;
    assert.equal(await value(database), after, way);
  }
});

test(
  "a connection that is lost before its first transaction is a database that cannot be reached",
  ON_NAMED,
  async (t) => {
    const server = await startPostgres(t);
    const proxy = await startProxy(t, server);
    const database = opened(t, proxy.through(await server.newDatabase()));
    for (const question of ["pg_is_in_recovery", "synchronous_standby_names"]) {
      const lost = proxy.lose((chunk) => chunk.includes(question));
      await assert.rejects(value(database), StoreUnavailable, question);
      await lost;
    }
  },
);

test("a server that is away is said to be, and is used again when it is back", ON_NAMED, async (t) => {
  const server = await startPostgres(t);
  const url = await server.newDatabase();
  const database = opened(t, url);
  await withCounter(database);
  await add(database, 1);
  await server.stop("immediate");
  for (const work of [add(database, 1), value(database)])
    await assert.rejects(work, (error) => {
      assert.ok(error instanceof StoreUnavailable);
      assert.ok(!error.message.includes(new URL(url).password), "no message holds the password");
      return true;
    });
  await server.start();
  await add(database, 1);
  assert.equal(await value(database), 2);
});

test("a server that only reads is read, and not written", ON_NAMED, async (t) => {
  const pair = await startPair(t);
  const url = await pair.newDatabase();
  const database = opened(t, url);
  await withCounter(database);
  await add(database, 1);
  await pair.primary.stop("immediate");
  const read = () => value(database).catch(() => null);
  assert.equal(await until("the standby is read", read), 1);
  await assert.rejects(add(database, 1), StoreUnavailable);
  await pair.promote();
  await add(database, 1);
  assert.equal(await value(database), 2);
});

test("a commit that its standby may not have fails with AnswerLost", ON_NAMED, async (t) => {
  const pair = await startPair(t);
  const database = opened(t, await pair.newDatabase());
  await withCounter(database);
  await pair.standby.stop("immediate");
  const waiting = add(database, 1);
  const refused = assert.rejects(waiting, AnswerLost);
  // The administrator ends the wait, and the server answers COMMIT all the same.
  await until("it waits for the standby", async () => {
    const [row] = await pair.primary.run("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
    if (row === undefined) return null;
    await pair.primary.run(`SELECT pg_cancel_backend(${row.pid})`);
    return true;
  });
  await refused;
});

test("after a fault the connections are checked anew before they are written", ON_NAMED, async (t) => {
  const server = await startPostgres(t);
  let checks = 0;
  let fault: Error | null = null;
  const database = opened(t, await server.newDatabase(), () => async () => {
    checks += 1;
    if (fault !== null) throw fault;
  });
  await withCounter(database);
  await add(database, 1);
  assert.equal(checks, 1);
  await server.stop("immediate");
  await server.start();
  fault = new StoreUnavailable("it has lost events");
  const refusal = () =>
    add(database, 1).then(
      () => null,
      (error: Error) => (error === fault ? error : null),
    );
  await until("the check refuses", refusal);
  fault = null;
  await add(database, 1);
  assert.equal(await value(database), 2);
});

test("what is committed after a transaction has begun is not missed in it by its check", ON_NAMED, async (t) => {
  const server = await startPostgres(t);
  const url = await server.newDatabase();
  const other = opened(t, url);
  await withCounter(other);
  let committed = 0;
  const database = opened(t, url, () => {
    const least = committed;
    return async (reader) => {
      if (committed === 0) {
        await add(other, 1);
        committed = 1;
      }
      const row = await reader.first<{ value: number }>("SELECT value FROM counters");
      if ((row?.value ?? -1) < least) throw new StoreUnavailable("it has lost a commit");
    };
  });
  const seen = await database.write((writer) => writer.first("SELECT value FROM counters"));
  assert.deepEqual(seen, { value: 0 }, "the transaction sees the database as it was when it began");
  assert.equal(await value(database), 1);
});

test("a statement that fails undoes its transaction, also where its error is caught", ON_NAMED, async (t) => {
  const server = await startPostgres(t);
  const database = opened(t, await server.newDatabase());
  await withCounter(database);
  const work = database.write(async (writer) => {
    await writer.run("UPDATE counters SET value = 5");
    await writer.run("UPDATE counters SET nothing = 5").catch(() => undefined);
  });
  await assert.rejects(work, (error) => error instanceof StatementRefused && error.code === "42703");
  assert.equal(await value(database), 0);
});

test("what only compares is run again when another was first; what locks waits", ON_NAMED, async (t) => {
  const server = await startPostgres(t);
  const url = await server.newDatabase();
  const databases = [opened(t, url), opened(t, url)];
  await withCounter(databases[0] as Database);
  let runs = 0;
  const increment = (database: Database, isLocking: boolean) =>
    database.write(
      async (writer) => {
        runs += 1;
        const lock = isLocking ? writer.locking("counters") : "";
        const row = await writer.first<{ value: number }>(`SELECT value FROM counters ${lock}`);
        await writer.run("UPDATE counters SET value = $1", (row?.value ?? 0) + 1);
      },
      { isLocking },
    );
  const many = (isLocking: boolean) =>
    Promise.all(Array.from({ length: 20 }, (_, index) => increment(databases[index % 2] as Database, isLocking)));
  await many(true);
  assert.equal(runs, 20);
  await many(false);
  assert.equal(await value(databases[0] as Database), 40);
});

test(
  "rows of any number and size are inserted, in the types of their columns, and repeated ones left out",
  ON_NAMED,
  async (t) => {
    const server = await startPostgres(t);
    const database = opened(t, await server.newDatabase());
    await database.write((writer) =>
      writer.script("CREATE TABLE things (no BIGINT PRIMARY KEY, text TEXT, size BIGINT)"),
    );
    const texts = ['{"a":"\\"\\\\,{}"}', "", "NULL", "null", 'é€😀"', "\t\n\\", null];
    const into = { table: "things", columns: ["no", "text", "size"] };
    const rows = Array.from({ length: 12_000 }, (_, no) => [no, texts[no % texts.length] ?? null, null]);
    assert.equal(await database.write((writer) => writer.insert(into, rows)), 12_000);
    const stored = await database.read((reader) =>
      reader.all<{ no: number; text: string | null }>("SELECT * FROM things ORDER BY no"),
    );
    assert.deepEqual(
      stored.map((row) => ({ ...row })),
      rows.map(([no, text]) => ({ no, text, size: null })),
    );
    const more = [
      [1, "again", 1],
      [20_000, "x".repeat(20_000_000), 2],
    ];
    assert.equal(await database.write((writer) => writer.insert({ ...into, skipsRepeated: true }, more)), 1);
    await assert.rejects(
      database.write((writer) => writer.insert(into, more)),
      StatementRefused,
    );
  },
);

test("readers of another thread's connections wait for one, and end with their pool", ON_NAMED, async (t) => {
  const server = await startPostgres(t);
  const url = await server.newDatabase();
  const readers = openReaders({ url, risks: [] });
  const ones = await Promise.all(
    Array.from({ length: 40 }, () =>
      readers.read((reader) => reader.first<{ one: number }>("SELECT 1::bigint AS one")),
    ),
  );
  assert.deepEqual(new Set(ones.map((row) => row?.one)), new Set([1]));
  readers.close();
  await assert.rejects(
    readers.read((reader) => reader.all("SELECT 1")),
    StoreUnavailable,
  );
  await until("no connection is left", async () => {
    const [row] = await server.run(
      "SELECT COUNT(*)::int AS n FROM pg_stat_activity WHERE application_name = 'svc-server'",
    );
    return row?.n === 0 ? true : null;
  });
});
