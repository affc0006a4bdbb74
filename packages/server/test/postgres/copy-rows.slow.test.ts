/**
 * Rows of whole tables go from one database to another of either kind: every table and every column that the
 * migrations make, also where the copy is cut off and goes on.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Database, migrate, soleSchema, type Writer } from "@svc/host/store";
import { DRIVERS, ON_NAMED } from "@svc/testkit/drivers";
import { insertStoreMigration } from "../../src/deployment/store-migration.ts";
import { MIGRATIONS } from "../../src/migrations/all.ts";
import { copyRows } from "../../src/moving/copy-rows.ts";
import { columnsOf, type Kind } from "../../src/moving/rows-store.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";

const NOW = "2026-03-01T00:00:00.000Z";
const SMALL = { rows: 2, bytes: 1_000 };
/** Columns with a few possible values. */
const CHOSEN: Readonly<Record<string, string>> = {
  "principals.kind": "system",
  "credentials.kind": "token",
  "streams.class": "legacy",
  "exports.payloads": "included",
  "exports.state": "ready",
  "anchorings.state": "mined",
};

/** Tables that have one row at most. */
const ONE_ROW: readonly string[] = ["service", "package_folder", "archive_folder", "service_log", "anchoring_state"];

const MOVED_TABLES = THIN_SERVER.tables.filter(({ stays }) => stays === null);

interface Opened {
  readonly database: Database;
  readonly kind: Kind;
}

async function opened(t: TestContext, driver: string): Promise<Opened> {
  const make = DRIVERS[driver];
  assert.ok(make !== undefined);
  const database = (await make(t))();
  await migrate(database, () => NOW, [soleSchema(MIGRATIONS)]);
  return { database, kind: driver === "sqlite" ? "file" : "server" };
}

/** Fills every column of every table: texts are alike in all tables, so that each row finds those that it names. */
async function addRows({ database, kind }: Opened, ...numbers: readonly number[]): Promise<void> {
  await database.write(async (writer) => {
    for (const { name } of MOVED_TABLES) {
      const columns = await columnsOf(writer, kind, name);
      const numeric = await numericColumns(writer, kind, name);
      const rows = numbers
        .filter((number) => !ONE_ROW.includes(name) || number === 1)
        .map((number) =>
          columns.map(
            (column) => CHOSEN[`${name}.${column}`] ?? (numeric.includes(column) ? number : `ü\u0001𝄞${number}`),
          ),
        );
      await writer.insert({ table: name, columns }, rows);
    }
  });
}

async function numericColumns(writer: Writer, kind: Kind, table: string): Promise<string[]> {
  const sql =
    kind === "file"
      ? "SELECT name FROM pragma_table_info($1) WHERE type IN ('BIGINT', 'INTEGER')"
      : "SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND data_type = 'bigint'";
  return (await writer.all<{ name: string }>(sql, table)).map(({ name }) => name);
}

async function marked(target: Opened): Promise<void> {
  const names = { evidence_origin: "test", pepper_mac: "mac", begun_at: NOW, other: "another" };
  const mark = { state: "filling", move_id: "one", holder: "nobody", ...names } as const;
  await target.database.write((writer) => insertStoreMigration(writer, mark));
}

async function rowsOf({ database }: Opened, table: string): Promise<string[]> {
  const rows = await database.read((reader) => reader.all<Record<string, unknown>>(`SELECT * FROM ${table}`));
  return rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
}

async function assertSame(source: Opened, target: Opened): Promise<void> {
  for (const { name } of MOVED_TABLES) assert.deepEqual(await rowsOf(target, name), await rowsOf(source, name), name);
}

const copying = (source: Opened, target: Opened, more: Partial<Parameters<typeof copyRows>[0]> = {}) =>
  copyRows({ program: THIN_SERVER, source, target, holder: "this", onStep: () => undefined, portion: SMALL, ...more });

for (const [from, to] of [
  ["sqlite", "postgres"],
  ["postgres", "sqlite"],
] as const) {
  const options = ON_NAMED;

  test(
    `${from} to ${to}: every table that the migrations make is moved or named as left, with every column`,
    options,
    async (t) => {
      const [source, target] = [await opened(t, from), await opened(t, to)];
      const tables = await source.database.read((reader) => reader.tables());
      assert.deepEqual(tables, [...THIN_SERVER.tables.map(({ name }) => name), "schema_migrations"].sort());
      await addRows(source, 1, 2, 3, 4, 5);
      await marked(target);
      assert.equal(await copying(source, target), 5 * (MOVED_TABLES.length - ONE_ROW.length) + ONE_ROW.length);
      await assertSame(source, target);
      const rows = await Promise.all(MOVED_TABLES.map(({ name }) => rowsOf(source, name)));
      assert.ok(
        rows.flat().every((row) => !row.includes("null")),
        "a column of the test is empty",
      );
      const { record_no } = await target.database.write(async (writer) => {
        const [row] = await writer.all<{ record_no: number }>(
          `INSERT INTO idempotency_records (scope_hash, tenant_id, route, request_mac, stream_id, from_seq_no, to_seq_no, created_at)
         SELECT 'new', tenant_id, '', '', '', 0, 0, '' FROM tenants LIMIT 1 RETURNING record_no`,
        );
        assert.ok(row !== undefined);
        return row;
      });
      assert.equal(record_no, 6);
    },
  );

  test(
    `${from} to ${to}: a copy that was cut off goes on, also where rows were added; no row comes twice`,
    options,
    async (t) => {
      const [source, target] = [await opened(t, from), await opened(t, to)];
      await addRows(source, 1, 2, 3, 4, 5);
      await marked(target);
      for (let steps = 1; ; steps += 7) {
        let left = steps;
        const onStep = () => {
          left -= 1;
          if (left === 0) throw new Error("cut off");
        };
        const isCutOff = await copying(source, target, { onStep }).then(
          () => false,
          (error: Error) => error.message === "cut off" || Promise.reject(error),
        );
        if (!isCutOff) break;
        assert.ok(steps < 10_000);
      }
      await assertSame(source, target);
      await addRows(source, 6);
      await copying(source, target);
      await assertSame(source, target);
    },
  );

  test(`${from} to ${to}: where a copied row has changed, the copy begins anew`, options, async (t) => {
    const [source, target] = [await opened(t, from), await opened(t, to)];
    await addRows(source, 1, 2, 3);
    await marked(target);
    await copying(source, target);
    await source.database.write((writer) => writer.run("UPDATE streams SET head_seq_no = 17"));
    const said: string[] = [];
    await copying(source, target, { onStep: (words) => said.push(words) });
    assert.ok(
      said.some((words) => words.includes("begins anew")),
      said.join(),
    );
    await assertSame(source, target);
  });

  test(`${from} to ${to}: a row that changes meanwhile is an error, and so is a second filler`, options, async (t) => {
    const [source, target] = [await opened(t, from), await opened(t, to)];
    await addRows(source, 1, 2, 3);
    await marked(target);
    const changing = (sql: string) => {
      let isDue = true;
      const { database } = target;
      return {
        kind: target.kind,
        database: {
          read: database.read.bind(database),
          write: async <T>(work: (writer: Writer) => Promise<T>) => {
            const value = await database.write(work);
            const filled = await database.read((reader) => reader.all("SELECT * FROM store_migration_tables"));
            if (isDue && filled.length > 12) {
              isDue = false;
              await database.write((writer) => writer.run(sql));
            }
            return value;
          },
        },
      };
    };
    const changed = changing("UPDATE tenants SET name = 'other'");
    await assert.rejects(
      copying(source, target, { target: changed }),
      /tenants is not the same on both sides.*begins anew/,
    );
    await copying(source, target);
    await assertSame(source, target);
    await addRows(source, 4);
    const second = changing("UPDATE store_migration SET holder = 'another'");
    await assert.rejects(copying(source, target, { target: second }), /Another migrate-store has begun/);
  });
}

test("a table or a column that this release does not know stops the move", ON_NAMED, async (t) => {
  const [source, target] = [await opened(t, "sqlite"), await opened(t, "postgres")];
  await marked(target);
  await source.database.write((writer) => writer.script("CREATE TABLE extra (x BIGINT)"));
  await assert.rejects(copying(source, target), /a table extra .* does not know/);
  await source.database.write((writer) => writer.script("DROP TABLE extra; ALTER TABLE events ADD COLUMN extra TEXT"));
  await assert.rejects(copying(source, target), /table events has other columns/);
});

test("a text that the other database cannot keep is an error of one line", ON_NAMED, async (t) => {
  const [source, target] = [await opened(t, "sqlite"), await opened(t, "postgres")];
  await marked(target);
  await source.database.write((writer) => writer.run("INSERT INTO tenants VALUES ('t', $1, 'UTC', '{}', '')", "a\0b"));
  await assert.rejects(
    copying(source, target),
    /^DataFolderError: A row of the table tenants cannot be moved: [^\n]*\.$/,
  );
});

test("each table comes behind those that its rows name, and its numbered column is known", ON_NAMED, async (t) => {
  const [file, server] = [await opened(t, "sqlite"), await opened(t, "postgres")];
  const order = MOVED_TABLES.map(({ name }) => name);
  for (const [place, name] of order.entries()) {
    const parents = await file.database.read((reader) =>
      reader.all<{ parent: string }>('SELECT DISTINCT "table" AS parent FROM pragma_foreign_key_list($1)', name),
    );
    for (const { parent } of parents) assert.ok(order.indexOf(parent) < place, `${name} names ${parent}`);
  }
  const numbered = await server.database.read((reader) =>
    reader.all<{ name: string; numbered: string }>(
      `SELECT table_name AS name, column_name AS numbered FROM information_schema.columns
       WHERE table_schema = current_schema() AND (is_identity = 'YES' OR column_default LIKE 'nextval%')`,
    ),
  );
  assert.deepEqual(
    numbered.map((one) => ({ ...one })),
    MOVED_TABLES.flatMap(({ name, numbered: column }) => (column === null ? [] : [{ name, numbered: column }])),
  );
});
