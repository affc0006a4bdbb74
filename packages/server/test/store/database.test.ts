/** What every driver of the database must keep. Written over a list of drivers, so that the next one joins it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type Database, IN_MEMORY, migrate, openSqlite, WriteConflict, type Writer } from "@svc/host/store";
import { findIdempotencyRecord, recordOfEvent } from "../../src/idempotency/store.ts";
import { MIGRATIONS } from "../../src/migrations/all.ts";
import { temporaryFolder } from "../running-server.ts";

const NOW = "2026-03-01T00:00:00.000Z";
const LATER = "2026-03-01T00:00:05.678Z";

/** Each driver: makes a database, and opens the same one again as another process would. */
const DRIVERS: Record<string, (t: TestContext) => () => Database> = {
  sqlite: (t) => {
    const path = join(temporaryFolder(), "svc.db");
    return () => {
      const database = openSqlite(path);
      t.after(() => database.close());
      return database;
    };
  },
};

async function withTable(open: () => Database): Promise<Database> {
  const database = open();
  await database.write((writer) => writer.script("CREATE TABLE counters (name TEXT PRIMARY KEY, value BIGINT)"));
  await database.write((writer) => writer.run("INSERT INTO counters VALUES ($1, $2)", "a", 0));
  return database;
}

const counter = (database: Database) =>
  database.read(async (reader) => (await reader.first<{ value: number }>("SELECT value FROM counters"))?.value);

for (const [name, make] of Object.entries(DRIVERS)) {
  test(`${name}: a transaction that throws leaves nothing behind`, async (t) => {
    const database = await withTable(make(t));
    const failed = database.write(async (writer) => {
      await writer.run("UPDATE counters SET value = 5");
      throw new Error("no");
    });
    await assert.rejects(failed, /no/);
    assert.equal(await counter(database), 0);
  });

  test(`${name}: readers see committed rows only, and one state throughout`, async (t) => {
    const open = make(t);
    const database = await withTable(open);
    await database.write(async (writer) => {
      await writer.run("UPDATE counters SET value = 1");
      assert.equal(await counter(database), 0);
    });
    await database.read(async (reader) => {
      assert.deepEqual({ ...(await reader.first<object>("SELECT value FROM counters")) }, { value: 1 });
      await database.write((writer) => writer.run("UPDATE counters SET value = 2"));
      assert.deepEqual({ ...(await reader.first<object>("SELECT value FROM counters")) }, { value: 1 });
    });
    assert.equal(await counter(database), 2);
  });

  test(`${name}: writers of one and of several openers take turns`, async (t) => {
    const open = make(t);
    const databases = [await withTable(open), open(), open()];
    const increment = (database: Database) =>
      database.write(async (writer) => {
        const row = await writer.first<{ value: number }>("SELECT value FROM counters");
        await new Promise((resolve) => setImmediate(resolve));
        await writer.run("UPDATE counters SET value = $1", (row?.value ?? 0) + 1);
      });
    await Promise.all(Array.from({ length: 60 }, (_, index) => increment(databases[index % 3] ?? open())));
    assert.equal(await counter(open()), 60);
  });

  test(`${name}: a lost compare-and-set is undone and tried again`, async (t) => {
    const database = await withTable(make(t));
    let attempts = 0;
    const result = await database.write(async (writer) => {
      await writer.run("UPDATE counters SET value = value + 1");
      if (++attempts < 3) throw new WriteConflict("the counter");
      return "done";
    });
    assert.deepEqual([result, attempts, await counter(database)], ["done", 3, 1]);
    await assert.rejects(
      database.write(() => Promise.reject(new WriteConflict("the counter"))),
      WriteConflict,
    );
  });

  test(`${name}: transactions that arrive together fail each for itself, and hear of it after the commit`, async (t) => {
    const database = await withTable(make(t));
    const add = (amount: number, fails: boolean) =>
      database.write(async (writer) => {
        await writer.run("UPDATE counters SET value = value + $1", amount);
        if (fails) throw new RangeError(`not ${amount}`);
        return amount;
      });
    const seen: (number | undefined)[] = [];
    const outcomes = await Promise.allSettled(
      [1, 10, 100, 1000].map((amount, index) =>
        add(amount, index % 2 === 1).finally(async () => seen.push(await counter(database))),
      ),
    );
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : outcome.reason.message)),
      [1, "not 10", 100, "not 1000"],
    );
    assert.deepEqual([await counter(database), new Set(seen)], [101, new Set([101])]);
  });

  test(`${name}: a commit that fails undoes what it was for, and the next one goes on`, async (t) => {
    const database = await withTable(make(t));
    await database.write((writer) =>
      writer.script(`CREATE TABLE owned (name TEXT REFERENCES counters (name) DEFERRABLE INITIALLY DEFERRED);`),
    );
    const bad = database.write((writer) => writer.run("INSERT INTO owned VALUES ('nobody')"));
    const good = database.write((writer) => writer.run("UPDATE counters SET value = 7"));
    const [one, other] = await Promise.allSettled([bad, good]);
    // Where the two share a commit, they share its end.
    assert.deepEqual([one.status, await counter(database)], ["rejected", other.status === "fulfilled" ? 7 : 0]);
    await database.write((writer) => writer.run("UPDATE counters SET value = 8"));
    assert.equal(await counter(database), 8);
  });

  test(`${name}: any number of reads at once are served, also while one of them takes long`, async (t) => {
    const database = await withTable(make(t));
    let release = () => {};
    const held = database.read(async (reader) => {
      const value = async () => (await reader.first<{ value: number }>("SELECT value FROM counters"))?.value;
      const first = await value();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return [first, await value()];
    });
    const values = await Promise.all(Array.from({ length: 200 }, () => counter(database)));
    assert.deepEqual(new Set(values), new Set([0]));
    await database.write((writer) => writer.run("UPDATE counters SET value = 9"));
    release();
    assert.deepEqual([await held, await counter(database)], [[0, 0], 9]);
    const [failed, next] = await Promise.allSettled([
      database.read(() => Promise.reject(new RangeError("no"))),
      counter(database),
    ]);
    assert.deepEqual([failed.status, next.status], ["rejected", "fulfilled"]);
  });

  test(`${name}: parameters by number, counts of changed rows, null`, async (t) => {
    const database = await withTable(make(t));
    const changed = await database.write((writer) =>
      writer.run("UPDATE counters SET value = $2 WHERE name = $1", "b", 1),
    );
    assert.equal(changed, 0);
    const rows = await database.read((reader) => reader.all<object>("SELECT $2 AS x, $1 AS y, $2 AS z", "one", null));
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [{ x: null, y: "one", z: null }],
    );
    assert.equal(
      await database.read((reader) => reader.first("SELECT value FROM counters WHERE name = $1", "c")),
      null,
    );
  });

  test(`${name}: what was committed is there after closing and opening again`, async (t) => {
    const open = make(t);
    const database = await withTable(open);
    await database.close();
    assert.equal(await counter(open()), 0);
    await assert.rejects(
      database.write(async () => 1),
      /closed/,
    );
  });

  test(`${name}: migrations run once, and a newer schema is refused`, async (t) => {
    const open = make(t);
    const database = open();
    await migrate(database, () => NOW, MIGRATIONS);
    await migrate(open(), () => NOW, MIGRATIONS);
    const rows = await database.read((reader) =>
      reader.all<object>("SELECT version, name FROM schema_migrations ORDER BY version"),
    );
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { version: 1, name: "initial" },
        { version: 2, name: "idempotent writes" },
        { version: 3, name: "erasure" },
        { version: 4, name: "closed streams" },
        { version: 5, name: "policies" },
        { version: 6, name: "forks" },
        { version: 7, name: "request scopes" },
        { version: 8, name: "sealing on demand" },
        { version: 9, name: "event log" },
        { version: 10, name: "exports" },
        { version: 11, name: "records by time" },
        { version: 12, name: "sealed times" },
        { version: 13, name: "lists" },
        { version: 14, name: "package challenges" },
        { version: 15, name: "policies of tenants" },
      ],
    );
    await database.write((writer) => writer.run("INSERT INTO schema_migrations VALUES (99, 'later', $1)", NOW));
    await assert.rejects(
      migrate(open(), () => NOW, MIGRATIONS),
      /schema version 99/,
    );
  });

  test(`${name}: the request of an event is found also where an earlier release kept it`, async (t) => {
    const database = make(t)();
    await migrate(database, () => NOW, MIGRATIONS.slice(0, 10));
    await database.write(async (writer) => {
      await writer.script(`INSERT INTO tenants VALUES ('tnt_1', 'one', 'UTC', '{}', '${NOW}');
        INSERT INTO streams (stream_id, tenant_id, class, use_case, policy_id, policy_explicit, metadata, created_at, actor_id, head_seq_no,
          head_event_hash, windowed_to_seq_no, window_count, checkpointed_window_count, checkpointed_to_seq_no)
        VALUES ('str_1', 'tnt_1', 'legacy', 'test', 'default', 0, '{}', '${NOW}', 'sys_1', 3, '', 0, 0, 0, 0)`);
      for (const seqNo of [1, 2, 3])
        await writer.run(
          `INSERT INTO events (stream_event_id, tenant_id, stream_id, seq_no, source_ref, event_type, occurred_at, occurred_at_utc, received_at,
             payload_hash, previous_event_hash, event_hash, stream_head_hash, receipt_kid, receipt_signature, actor_kind, actor_id)
           VALUES ($1, 'tnt_1', 'str_1', $2, '', '', '', '', $3, '', '', '', '', '', '', 'system', 'sys_1')`,
          `sev_${seqNo}`,
          seqNo,
          LATER,
        );
      const record =
        "INSERT INTO idempotency_records VALUES ($1, $2, 'tnt_1', 'POST /x', 'mac', 'str_1', $3, $4, NULL, $5)";
      await writer.run(record, 1, "one", 1, 1, NOW);
      await writer.run(record, 2, "two", 2, 3, LATER);
      await writer.run(record, 3, "none", 0, 0, NOW);
    });
    await migrate(database, () => NOW, MIGRATIONS);
    const found = (seq_no: number) =>
      database.read((reader) => recordOfEvent(reader, { stream_id: "str_1", seq_no, received_at: LATER }));
    assert.deepEqual(
      [(await found(1))?.record_no, (await found(2))?.record_no, (await found(3))?.record_no, await found(4)],
      [1, 2, 2, null],
    );
  });

  test(`${name}: a stream of an earlier release knows the latest time that it has sealed`, async (t) => {
    const database = make(t)();
    await migrate(database, () => NOW, MIGRATIONS.slice(0, 11));
    await database.write(async (writer) => {
      await writer.run("INSERT INTO tenants VALUES ('tnt_1', 'one', 'UTC', '{}', $1)", NOW);
      for (const [stream, closedAt, createdAt] of [
        ["str_1", NOW, LATER],
        ["str_2", LATER, NOW],
        ["str_3", null, null],
      ] as const) {
        await writer.run(
          `INSERT INTO streams (stream_id, tenant_id, class, use_case, policy_id, policy_explicit, metadata, created_at, actor_id, head_seq_no,
             head_event_hash, windowed_to_seq_no, window_count, checkpointed_window_count, checkpointed_to_seq_no)
           VALUES ($1, 'tnt_1', 'legacy', 'test', 'default', 0, '{}', $2, 'sys_1', $3, '', $3, $3, $3, $3)`,
          stream,
          NOW,
          closedAt === null ? 0 : 1,
        );
        if (closedAt === null) continue;
        const [window, checkpoint] = [
          JSON.stringify({ closed_at: closedAt }),
          JSON.stringify({ created_at: createdAt }),
        ];
        await writer.run("INSERT INTO windows VALUES ($1, 'tnt_1', $1, 1, 1, 1, '', $2)", stream, window);
        const row = "INSERT INTO checkpoints VALUES ($1, 'tnt_1', $1, 1, 1, 1, '', '', '[]', $2)";
        await writer.run(row, stream, checkpoint);
      }
    });
    await migrate(database, () => NOW, MIGRATIONS);
    const rows = await database.read((reader) =>
      reader.all<{ last_sealed_at: string | null }>("SELECT last_sealed_at FROM streams ORDER BY stream_id"),
    );
    assert.deepEqual(
      rows.map((row) => row.last_sealed_at),
      [LATER, LATER, null],
    );
  });

  test(`${name}: policies of an earlier release keep their ids and tenants, and leave them to others`, async (t) => {
    const database = make(t)();
    await migrate(database, () => NOW, MIGRATIONS.slice(0, 12));
    const rows = [
      ["default", 1, null],
      ["gold", 1, "tnt_1"],
      ["gold", 2, "tnt_1"],
    ] as const;
    const insert = (writer: Writer, table: string, [id, version, tenant]: readonly [string, number, string | null]) => {
      const [column, value] = table === "policies" ? ["", ""] : ["threshold, ", "1, "];
      return writer.run(
        `INSERT INTO ${table} (policy_id, policy_version, tenant_id, digest, document, ${column}explicit, created_at)
         VALUES ($1, $2, $3, $4, '{}', ${value}1, $5)`,
        id,
        version,
        tenant,
        `${id} ${version}`,
        NOW,
      );
    };
    await database.write(async (writer) => {
      await writer.script(`INSERT INTO tenants VALUES ('tnt_1', 'one', 'UTC', '{}', '${NOW}');
        INSERT INTO tenants VALUES ('tnt_2', 'two', 'UTC', '{}', '${NOW}')`);
      for (const table of ["policies", "witness_policies"]) for (const row of rows) await insert(writer, table, row);
    });
    await migrate(database, () => NOW, MIGRATIONS);
    for (const table of ["policies", "witness_policies"]) {
      const kept = await database.read((reader) =>
        reader.all<{ policy_id: string; policy_version: number; tenant_id: string | null; digest: string }>(
          `SELECT policy_id, policy_version, tenant_id, digest FROM ${table} ORDER BY policy_id, policy_version`,
        ),
      );
      assert.deepEqual(
        kept.map((row) => [row.policy_id, row.policy_version, row.tenant_id, row.digest]),
        rows.map(([id, version, tenant]) => [id, version, tenant, `${id} ${version}`]),
      );
      await database.write((writer) => insert(writer, table, ["gold", 1, "tnt_2"]));
      for (const taken of rows)
        await assert.rejects(
          database.write((writer) => insert(writer, table, taken)),
          /UNIQUE|duplicate/,
        );
    }
  });

  test(`${name}: requests of an earlier release keep their keys`, async (t) => {
    const database = make(t)();
    await migrate(database, () => NOW, MIGRATIONS.slice(0, 6));
    const scope = (number: number) => ({
      tenantId: "tnt_1",
      principalId: "sys_1",
      route: "POST /x",
      key: `key ${number}`,
    });
    await database.write(async (writer) => {
      await writer.run("INSERT INTO tenants VALUES ('tnt_1', 'one', 'UTC', '{}', $1)", NOW);
      for (let number = 1; number <= 2500; number++)
        await writer.run(
          "INSERT INTO idempotency_records VALUES ('tnt_1', 'sys_1', 'POST /x', $1, $2, 'str_1', $3, $3, $4, $5)",
          `key ${number}`,
          `mac ${number}`,
          number,
          NOW,
          number === 2 ? "{}" : null,
        );
    });
    await migrate(database, () => NOW, MIGRATIONS);
    const found = (number: number) => database.read((reader) => findIdempotencyRecord(reader, scope(number)));
    for (const number of [1, 2, 1000, 1001, 2500])
      assert.deepEqual(
        { ...(await found(number)) },
        {
          request_mac: `mac ${number}`,
          stream_id: "str_1",
          from_seq_no: number,
          to_seq_no: number,
          result: number === 2 ? "{}" : null,
        },
      );
    assert.equal(await found(2501), null);
  });
}

test("sqlite: a commit waits for the disk", async (t) => {
  const database = openSqlite(join(temporaryFolder(), "svc.db"));
  t.after(() => database.close());
  const row = await database.write((writer) => writer.first<object>("PRAGMA synchronous"));
  const FULL = 2;
  assert.deepEqual({ ...row }, { synchronous: FULL });
});

test("sqlite: what arrives together is one commit, and one wait for the disk", async () => {
  const path = join(temporaryFolder(), "svc.db");
  const database = openSqlite(path);
  await database.write((writer) => writer.script("CREATE TABLE names (name BIGINT)"));
  const before = commitsIn(`${path}-wal`);
  const insert = (name: number) => database.write((writer) => writer.run("INSERT INTO names VALUES ($1)", name));
  await Promise.all(Array.from({ length: 200 }, (_, name) => insert(name)));
  assert.equal(commitsIn(`${path}-wal`) - before, 1);
  await insert(200);
  await insert(201);
  assert.equal(commitsIn(`${path}-wal`) - before, 3);
  await database.close();
});

/** The commits in a write-ahead log: frames that give the size of the database after them (SQLite file format, section 4.1). */
function commitsIn(path: string): number {
  const log = readFileSync(path);
  const frameSize = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frameSize <= log.length; at += frameSize) if (log.readUInt32BE(at + 4) > 0) commits++;
  return commits;
}

test("a database in memory keeps a transaction whole, and refuses what would wait for itself", async () => {
  const database = openSqlite(IN_MEMORY);
  await withTable(() => database);
  await assert.rejects(
    database.write(async (writer) => {
      await writer.run("UPDATE counters SET value = 5");
      throw new Error("no");
    }),
    /no/,
  );
  await Promise.all(
    [1, 2, 3].map(() => database.write((writer) => writer.run("UPDATE counters SET value = value + 1"))),
  );
  assert.equal(await counter(database), 3);
  await assert.rejects(
    database.write(() => counter(database)),
    /inside of another one/,
  );
  await assert.rejects(
    database.read(() => counter(database)),
    /inside of another one/,
  );
  assert.equal(await counter(database), 3);
  await database.close();
  const other = openSqlite(IN_MEMORY);
  await withTable(() => other);
  assert.equal(await counter(other), 0, "another one");
  await other.close();
});
