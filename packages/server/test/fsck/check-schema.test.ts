/** A schema that was changed from outside is noticed, in a file and on a server; any release's own one has no fault. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { migrate, soleSchema } from "@svc/host/store";
import { DRIVERS, driverOptions } from "@svc/testkit/drivers";
import { insertStoreMigration } from "../../src/deployment/store-migration.ts";
import { schemaFaults } from "../../src/fsck/check-schema.ts";
import { MIGRATIONS } from "../../src/migrations/all.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";

const NOW = "2026-03-01T00:00:00.000Z";
const TRIGGER = {
  sql: "CREATE TRIGGER zz AFTER INSERT ON idempotency_records BEGIN DELETE FROM idempotency_records; END",
  onServer:
    "CREATE TRIGGER zz BEFORE UPDATE ON idempotency_records FOR EACH ROW EXECUTE FUNCTION " +
    "suppress_redundant_updates_trigger()",
};

for (const [name, make] of Object.entries(DRIVERS)) {
  test(`${name}: every change of the schema is a fault with its place`, driverOptions(name), async (t) => {
    const database = (await make(t))();
    const place = { onServer: name !== "sqlite" };
    const faults = async () =>
      (await database.read((reader) => schemaFaults(reader, THIN_SERVER, place))).map(
        ({ row, fault }) => `${JSON.stringify(row)} ${fault}`,
      );
    // Also that of an older release is as that one made it.
    for (const version of [10, 17, 23, MIGRATIONS.length]) {
      await migrate(database, () => NOW, [soleSchema(MIGRATIONS.slice(0, version))]);
      assert.deepEqual(await faults(), [], `version ${version}`);
    }
    const mark = { move_id: "1", evidence_origin: "", pepper_mac: "", holder: "", begun_at: "", other: "" };
    await database.write((writer) => insertStoreMigration(writer, { ...mark, state: "left" }));
    assert.deepEqual(await faults(), [], "the marks of a move are reported elsewhere");
    const change = (sql: string, onServer = sql) => database.write((writer) => writer.script(sql, onServer));
    await change(TRIGGER.sql, TRIGGER.onServer);
    await change("DROP INDEX events_by_source_ref; DROP INDEX lifecycle_stream_of_tenant");
    await change("CREATE INDEX mine ON streams (created_at)");
    await change("ALTER TABLE streams ADD COLUMN colour TEXT");
    await change("CREATE TABLE notes (note TEXT); CREATE INDEX of_notes ON notes (note)");
    await change("CREATE VIEW seen AS SELECT stream_id FROM streams");
    await change("DROP TABLE anchor_transactions");
    await change("", "ALTER TABLE archives DROP CONSTRAINT archives_file_key");
    assert.deepEqual(await faults(), [
      '{"table":"anchor_transactions"} it is missing',
      ...(place.onServer ? ['{"table":"archives","constraint":"unique (file)"} it is missing'] : []),
      '{"table":"events","index":"events_by_source_ref"} it is missing',
      '{"table":"idempotency_records","trigger":"zz"} the server has not made it',
      '{"table":"notes"} the server has not made it',
      '{"view":"seen"} the server has not made it',
      '{"table":"streams","column":"colour"} the server has not made it',
      '{"table":"streams","index":"lifecycle_stream_of_tenant"} it is missing',
      '{"table":"streams","index":"mine"} the server has not made it',
    ]);
  });
}

test(
  "neither a name like SQLite's own nor a table without its constraints hides a change",
  driverOptions("sqlite"),
  async (t) => {
    const { sqlite } = DRIVERS;
    assert.ok(sqlite !== undefined);
    const database = (await sqlite(t))();
    await migrate(database, () => NOW, [soleSchema(MIGRATIONS)]);
    await database.write((writer) =>
      writer.script(`CREATE TRIGGER sqlitezz AFTER INSERT ON events BEGIN DELETE FROM idempotency_records; END;
      CREATE TABLE sqliteyy (x TEXT);
      ALTER TABLE archive_leavings RENAME TO old; DROP TABLE old; CREATE TABLE archive_leavings (file TEXT);
      ANALYZE`),
    );
    const faults = await database.read((reader) => schemaFaults(reader, THIN_SERVER, { onServer: false }));
    assert.deepEqual(
      faults.map(({ row, fault }) => `${JSON.stringify(row)} ${fault}`),
      [
        '{"table":"archive_leavings","column":"file"} it is defined otherwise than the server makes it',
        '{"table":"archive_leavings","constraint":"primary key (file)"} it is missing',
        '{"table":"events","trigger":"sqlitezz"} the server has not made it',
        '{"table":"sqliteyy"} the server has not made it',
      ],
    );
  },
);

test("an index of the same name over other columns is another one", driverOptions("sqlite"), async (t) => {
  const { sqlite } = DRIVERS;
  assert.ok(sqlite !== undefined);
  const database = (await sqlite(t))();
  await migrate(database, () => NOW, [soleSchema(MIGRATIONS)]);
  await database.write((writer) =>
    writer.script("DROP INDEX events_by_source_ref; CREATE INDEX events_by_source_ref ON events (source_ref)"),
  );
  const [fault, ...others] = await database.read((reader) => schemaFaults(reader, THIN_SERVER, { onServer: false }));
  assert.deepEqual([fault?.fault, others], ["it is defined otherwise than the server makes it", []]);
});

for (const [name, make] of Object.entries(DRIVERS))
  test(
    `${name}: a table of another program is left out, and one of this program never, whatever a row says`,
    driverOptions(name),
    async (t) => {
      const database = (await make(t))();
      await migrate(database, () => NOW, [soleSchema(MIGRATIONS)]);
      await database.write((writer) =>
        writer.script(
          "CREATE TABLE platform_migrations (version BIGINT PRIMARY KEY, name TEXT, applied_at TEXT, tables TEXT); " +
            "CREATE TABLE theirs (name TEXT); " +
            "INSERT INTO platform_migrations VALUES (1, 'one', '', 'theirs idempotency_records events')",
        ),
      );
      const faults = () =>
        database.read((reader) => schemaFaults(reader, THIN_SERVER, { onServer: name !== "sqlite" }));
      assert.deepEqual(await faults(), []);
      await database.write((writer) => writer.script(TRIGGER.sql, TRIGGER.onServer));
      assert.deepEqual(
        (await faults()).map(({ row, fault }) => `${JSON.stringify(row)} ${fault}`),
        ['{"table":"idempotency_records","trigger":"zz"} the server has not made it'],
      );
    },
  );
