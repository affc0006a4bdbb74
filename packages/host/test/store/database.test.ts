/**
 * The contract that every driver of the database must keep. The tests run over a list of drivers, so that the next one
 * joins it.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DRIVERS, driverOptions, ON_FILE } from "@svc/testkit/drivers";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { type Database, type Reader, WriteConflict } from "../../src/store/database.ts";
import {
  type Migration,
  madeTables,
  migrate,
  newestVersion,
  requireSchemas,
  type Schema,
  schemaVersion,
  soleSchema,
} from "../../src/store/migrate.ts";
import { IN_MEMORY, openSqlite } from "../../src/store/sqlite.ts";

const NOW = "2026-03-01T00:00:00.000Z";
const LATER = "2026-03-01T00:00:05.678Z";

async function withTable(open: () => Database): Promise<Database> {
  const database = open();
  await database.write((writer) => writer.script("CREATE TABLE counters (name TEXT PRIMARY KEY, value BIGINT)"));
  await database.write((writer) => writer.run("INSERT INTO counters VALUES ($1, $2)", "a", 0));
  return database;
}

const counter = (database: Database) =>
  database.read(async (reader) => (await reader.first<{ value: number }>("SELECT value FROM counters"))?.value);

for (const [name, make] of Object.entries(DRIVERS)) {
  test(`${name}: a transaction that throws leaves nothing behind`, driverOptions(name), async (t) => {
    const database = await withTable(await make(t));
    const failed = database.write(async (writer) => {
      await writer.run("UPDATE counters SET value = 5");
      throw new Error("no");
    });
    await assert.rejects(failed, /no/);
    assert.equal(await counter(database), 0);
  });

  test(`${name}: readers see committed rows only, and one state throughout`, driverOptions(name), async (t) => {
    const open = await make(t);
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

  test(`${name}: writers of one and of several openers take turns`, driverOptions(name), async (t) => {
    const open = await make(t);
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

  test(`${name}: a lost compare-and-set is undone and tried again`, driverOptions(name), async (t) => {
    const database = await withTable(await make(t));
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

  test(
    `${name}: transactions that arrive together fail each for itself, and hear of it after the commit`,
    driverOptions(name),
    async (t) => {
      const database = await withTable(await make(t));
      const add = (amount: number, fails: boolean) =>
        database.write(async (writer) => {
          await writer.run("UPDATE counters SET value = value + $1", amount);
          if (fails) throw new RangeError(`not ${amount}`);
          return amount;
        });
      const seen: (number | undefined)[] = [];
      const amounts = [1, 10, 100, 1000];
      const outcomes = await Promise.allSettled(
        amounts.map((amount, index) =>
          add(amount, index % 2 === 1).finally(async () => {
            seen[index] = await counter(database);
          }),
        ),
      );
      assert.deepEqual(
        outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : outcome.reason.message)),
        [1, "not 10", 100, "not 1000"],
      );
      assert.equal(await counter(database), 101);
      // Each digit is the work of one of them.
      for (const [index, amount] of amounts.entries())
        assert.equal(
          Math.floor((seen[index] ?? 0) / amount) % 10,
          index % 2 === 1 ? 0 : 1,
          `${amount}: ${seen[index]}`,
        );
    },
  );

  test(
    `${name}: a commit that fails undoes what it was for, and the next one goes on`,
    driverOptions(name),
    async (t) => {
      const database = await withTable(await make(t));
      await database.write((writer) =>
        writer.script(`CREATE TABLE owned (name TEXT REFERENCES counters (name) DEFERRABLE INITIALLY DEFERRED);`),
      );
      const bad = database.write((writer) => writer.run("INSERT INTO owned VALUES ('nobody')"));
      const good = database.write((writer) => writer.run("UPDATE counters SET value = 7"));
      const [one, other] = await Promise.allSettled([bad, good]);
      // If the two share a commit, they share its outcome.
      assert.deepEqual([one.status, await counter(database)], ["rejected", other.status === "fulfilled" ? 7 : 0]);
      await database.write((writer) => writer.run("UPDATE counters SET value = 8"));
      assert.equal(await counter(database), 8);
    },
  );

  test(
    `${name}: transactions that give way are whole, fail alone, and are committed in the end`,
    driverOptions(name),
    async (t) => {
      const database = await withTable(await make(t));
      const add = (amount: number) =>
        database.write(
          async (writer) => {
            await writer.run("UPDATE counters SET value = value + $1", amount);
            if (amount === 10) throw new RangeError("not 10");
            return amount;
          },
          { givesWay: true },
        );
      const outcomes = await Promise.allSettled([1, 10, 100].map(add));
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ["fulfilled", "rejected", "fulfilled"],
      );
      assert.equal(await counter(database), 101);

      // Others that never cease do not keep them out.
      const [MANY, ENOUGH] = [20, 1000];
      let left = MANY;
      const patient = Promise.all(Array.from({ length: MANY }, () => add(1).then(() => (left -= 1))));
      let others = 0;
      while (left > 0 && others < ENOUGH) {
        await database.write((writer) => writer.run("UPDATE counters SET value = value + 1"));
        others += 1;
      }
      assert.equal(left, 0, `${left} still wait after ${others} other commits`);
      await patient;
      assert.equal(await counter(database), 101 + MANY + others);
    },
  );

  test(
    `${name}: any number of reads at once are served, also while one of them takes long`,
    driverOptions(name),
    async (t) => {
      const database = await withTable(await make(t));
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
    },
  );

  test(`${name}: parameters by number, counts of changed rows, null`, driverOptions(name), async (t) => {
    const database = await withTable(await make(t));
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

  test(
    `${name}: a text with U+0000 can be asked for, and is no other one; it is stored whole or not at all`,
    driverOptions(name),
    async (t) => {
      const database = await withTable(await make(t));
      await database.write((writer) => writer.run("INSERT INTO counters VALUES ($1, $2)", "b", 1));
      const names = async (condition: string, text: string) => {
        const ask = (reader: Reader) =>
          reader.all<{ name: string }>(`SELECT name FROM counters WHERE ${condition} ORDER BY name`, text);
        const rows = await database.read(ask);
        assert.deepEqual(await database.write(ask), rows);
        return rows.map(({ name: found }) => found);
      };
      for (const text of ["\0", "a\0", "\0a", "a\0a", "b\0\0"]) {
        assert.deepEqual(await names("name = $1", text), [], JSON.stringify(text));
        assert.deepEqual(await names("name <> $1", text), ["a", "b"]);
        assert.deepEqual(await names("CAST($1 AS TEXT) IS NULL", text), []);
        const walked =
          `WITH asked (name) AS (SELECT CAST($1 AS TEXT)) SELECT c.name FROM counters c JOIN asked a ON a.name = ` +
          `c.name`;
        assert.deepEqual(await database.read((reader) => reader.all(walked, text)), []);
      }
      assert.deepEqual(await names("name > $1", "a\0"), ["b"]);
      assert.deepEqual(await names("name < $1", "b\0"), ["a", "b"]);
      const isStored = await database
        .write((writer) => writer.run("INSERT INTO counters VALUES ($1, $2)", "c\0d", 2))
        .then(
          () => true,
          () => false,
        );
      assert.deepEqual(await names("name >= $1", "c"), isStored ? ["c\0d"] : []);
      assert.deepEqual(await names("name = $1", "c\0d"), isStored ? ["c\0d"] : []);
    },
  );

  test(`${name}: what was committed is there after closing and opening again`, driverOptions(name), async (t) => {
    const open = await make(t);
    const database = await withTable(open);
    await database.close();
    assert.equal(await counter(open()), 0);
    await assert.rejects(
      database.write(async () => 1),
      /closed/,
    );
  });

  test(`${name}: migrations run once and in order, and a newer schema is refused`, driverOptions(name), async (t) => {
    const open = await make(t);
    const database = open();
    const make1: Migration = { version: 1, name: "make", sql: "CREATE TABLE names (name TEXT)" };
    const fill: Migration = {
      version: 2,
      name: "fill",
      sql: "INSERT INTO names VALUES ('one')",
      rewrite: async (writer) => void (await writer.run("UPDATE names SET name = name || '!'")),
    };
    await migrate(database, () => NOW, [soleSchema([make1])]);
    assert.equal(await database.read(schemaVersion), 1);
    await migrate(open(), () => LATER, [soleSchema([make1, fill])]);
    await migrate(database, () => LATER, [soleSchema([make1, fill])]);
    const rows = await database.read((reader) =>
      reader.all<object>("SELECT version, name, applied_at FROM schema_migrations ORDER BY version"),
    );
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { version: 1, name: "make", applied_at: NOW },
        { version: 2, name: "fill", applied_at: LATER },
      ],
    );
    assert.deepEqual(
      (await database.read((reader) => reader.all<{ name: string }>("SELECT name FROM names"))).map((row) => row.name),
      ["one!"],
    );
    await assert.rejects(
      migrate(open(), () => NOW, [soleSchema([make1])]),
      /schema version 2, and this release knows 1/,
    );
  });

  test(
    `${name}: a new database is made whole or not at all, an older one step by step`,
    driverOptions(name),
    async (t) => {
      const database = (await make(t))();
      const make1: Migration = { version: 1, name: "make", sql: "CREATE TABLE names (name TEXT)" };
      const more: Migration = { version: 2, name: "more", sql: "CREATE TABLE others (name TEXT)" };
      const fails: Migration = { version: 3, name: "fails", sql: "INSERT INTO nowhere VALUES (1)" };
      const tablesAfter = async (...steps: Migration[]) => {
        await assert.rejects(migrate(database, () => NOW, [soleSchema([...steps, fails])]));
        return (await database.read((reader) => reader.tables()))
          .filter((table) => table !== "schema_migrations")
          .sort();
      };
      assert.deepEqual(await tablesAfter(make1, more), []);
      assert.equal(await database.read(schemaVersion), 0);
      await migrate(database, () => NOW, [soleSchema([make1])]);
      assert.deepEqual(await tablesAfter(make1, more), ["names", "others"]);
      assert.equal(await database.read(schemaVersion), 2);
    },
  );

  test(
    `${name}: of a migration that fails nothing remains, and the next start tries it again`,
    driverOptions(name),
    async (t) => {
      const database = (await make(t))();
      let isBroken = true;
      const fill: Migration = {
        version: 1,
        name: "fill",
        sql: "CREATE TABLE names (name TEXT)",
        rewrite: async () => {
          if (isBroken) throw new Error("no");
        },
      };
      await assert.rejects(
        migrate(database, () => NOW, [soleSchema([fill])]),
        /no/,
      );
      assert.equal(await database.read(schemaVersion), 0);
      isBroken = false;
      await migrate(database, () => NOW, [soleSchema([fill])]);
      assert.equal(await database.read(schemaVersion), 1);
    },
  );

  test(
    `${name}: schemas are made one after the other, and one names its tables to programs that do not know it`,
    driverOptions(name),
    async (t) => {
      const database = (await make(t))();
      const first = soleSchema([{ version: 1, name: "make", sql: "CREATE TABLE names (name TEXT)" }]);
      const second: Schema = {
        table: "more_migrations",
        versionWords: "version of more",
        namesTables: true,
        migrations: [
          { version: 1, name: "two", sql: "CREATE TABLE one (name TEXT); CREATE TABLE two (name TEXT)" },
          { version: 2, name: "none", sql: "CREATE INDEX of_names ON names (name)" },
        ],
      };
      await migrate(database, () => NOW, [first]);
      assert.deepEqual(await database.read((reader) => madeTables(reader, second.table)), []);
      await migrate(database, () => NOW, [first, second]);
      await migrate(database, () => NOW, [first, second]);
      assert.equal(await database.read(schemaVersion), 1);
      assert.equal(await database.read((reader) => schemaVersion(reader, second)), 2);
      const made = await database.read((reader) => madeTables(reader, second.table));
      assert.deepEqual(made.sort(), ["more_migrations", "one", "two"]);
      // A program without the second schema leaves it alone.
      await migrate(database, () => NOW, [first]);
      const older = { ...second, migrations: second.migrations.slice(0, 1) };
      await assert.rejects(
        migrate(database, () => NOW, [first, older]),
        /has version of more 2, and this release knows 1/,
      );
    },
  );

  test(
    `${name}: a schema of another release is refused, an older one unless that is allowed`,
    driverOptions(name),
    async (t) => {
      const database = (await make(t))();
      const migrations: Migration[] = [1, 2].map((version) => ({ version, name: `${version}`, sql: "SELECT 1" }));
      const [old, both] = [soleSchema(migrations.slice(0, 1)), soleSchema(migrations)];
      assert.deepEqual([newestVersion(soleSchema([])), newestVersion(both)], [0, 2]);
      const looked = (schema: Schema, options = {}) =>
        database.read((reader) => requireSchemas(reader, [schema], options));
      await migrate(database, () => NOW, [old]);
      await looked(both, { orOlder: true });
      await assert.rejects(looked(both), /schema version 1, and this release works with 2/);
      await migrate(database, () => NOW, [both]);
      await looked(both);
      await assert.rejects(looked(old, { orOlder: true }), /schema version 2, and this release knows 1/);
    },
  );
}

test(
  "sqlite: a copy holds what is committed, is distinguished from the database itself, and replaces no file",
  ON_FILE,
  async (t) => {
    const folder = temporaryFolder();
    const database = openSqlite(join(folder, "svc.db"));
    t.after(() => database.close());
    await withTable(() => database);
    const path = join(folder, "copy.db");
    await database.write(async (writer) => {
      await writer.run("UPDATE counters SET value = 5");
      database.copyTo(path);
    });
    const copy = openSqlite(path);
    t.after(() => copy.close());
    assert.equal(await counter(copy), 0, "what was not committed yet is not in it");
    assert.deepEqual(
      [await copy.read((reader) => reader.isCopy()), await database.read((reader) => reader.isCopy())],
      [true, false],
    );
    assert.throws(() => database.copyTo(path), /EEXIST/);
    const memory = openSqlite(IN_MEMORY);
    t.after(() => memory.close());
    assert.throws(() => memory.copyTo(join(folder, "memory.db")), TypeError);
  },
);

test("sqlite: a commit waits for the disk", ON_FILE, async (t) => {
  const database = openSqlite(join(temporaryFolder(), "svc.db"));
  t.after(() => database.close());
  const row = await database.write((writer) => writer.first<object>("PRAGMA synchronous"));
  const FULL = 2;
  assert.deepEqual({ ...row }, { synchronous: FULL });
});

test("sqlite: what arrives together is one commit, and one wait for the disk", ON_FILE, async () => {
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

test(
  "sqlite: a transaction does not wait for the many that give way, and takes one of them along",
  ON_FILE,
  async (t) => {
    const database = await withTable(() => openSqlite(join(temporaryFolder(), "svc.db")));
    t.after(() => database.close());
    const done: string[] = [];
    const write = (name: string, givesWay: boolean, work = () => {}) =>
      database
        .write(
          async (writer) => {
            work();
            await writer.run("UPDATE counters SET value = value + 1");
          },
          { givesWay },
        )
        .then(() => done.push(name));
    let urgent: Promise<unknown> = Promise.resolve();
    const arrive = () => {
      urgent = write("urgent", false);
    };
    const all = Array.from({ length: 50 }, (_, index) =>
      write(`patient ${index}`, true, index === 0 ? arrive : undefined),
    );
    await Promise.all(all);
    await urgent;
    assert.deepEqual(done.slice(0, 3), ["patient 0", "urgent", "patient 1"]);
    assert.equal(done.length, 51);
  },
);

test(
  "sqlite: a commit that fails rejects the writes that it took along, and the others that give way go on",
  ON_FILE,
  async (t) => {
    const database = await withTable(() => openSqlite(join(temporaryFolder(), "svc.db")));
    t.after(() => database.close());
    await database.write((writer) =>
      writer.script("CREATE TABLE owned (name TEXT REFERENCES counters (name) DEFERRABLE INITIALLY DEFERRED)"),
    );
    const [COUNT, add] = [300, "UPDATE counters SET value = value + 1"];
    const patient = Array.from({ length: COUNT }, () =>
      database.write((writer) => writer.run(add), { givesWay: true }),
    );
    const bad = database.write((writer) => writer.run("INSERT INTO owned VALUES ('nobody')"));
    await assert.rejects(bad, /FOREIGN KEY/);
    const outcomes = await Promise.allSettled(patient);
    const done = outcomes.filter(({ status }) => status === "fulfilled").length;
    assert.ok(done > 0 && done < COUNT, `${done} of ${COUNT} are committed`);
    assert.equal(await counter(database), done);
  },
);

/**
 * Counts the commits in a write-ahead log: frames that give the size of the database after them (SQLite file format,
 * section 4.1).
 */
function commitsIn(path: string): number {
  const log = readFileSync(path);
  const frameSize = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frameSize <= log.length; at += frameSize) if (log.readUInt32BE(at + 4) > 0) commits++;
  return commits;
}

test("a database in memory keeps a transaction whole, and refuses what would wait for itself", ON_FILE, async () => {
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
