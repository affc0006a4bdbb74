/** The lists of docs/scaling.md for Citus, against the schema that the migrations make. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ON_NAMED } from "@svc/testkit/drivers";
import { sharedPostgres } from "@svc/testkit/postgres";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { KEYS } from "@svc/testkit/server/table-keys";
import { temporaryFolder } from "@svc/testkit/temporary-folder";

const PAGE = new URL("../../../../docs/scaling.md", import.meta.url);
const HEADING = "### Tables on Citus";
/** Their columns span streams on purpose. */
const OVER_STREAMS = ["event_logs_of_system", "lifecycle_stream_of_tenant"];

/** Returns the names in the rows of the page's table, in order. */
function listed(): string[][] {
  const [, section = ""] = readFileSync(PAGE, "utf8").split(HEADING);
  const rows = section.split(/\n#/)[0]?.match(/^\| .*\|$/gm) ?? [];
  return rows
    .slice(2)
    .map((row) => [...(row.split(" | ").at(-1) ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name).sort());
}

test("the page names each table, unique index and foreign key that Citus has to do with", ON_NAMED, async (t) => {
  const server = await sharedPostgres();
  const databaseUrl = await server.newDatabase({ until: t });
  await makeDeployment(join(temporaryFolder(), "data"), { databaseUrl, databaseRisks: [] });
  const run = (sql: string) => server.run(sql, new URL(databaseUrl).pathname.slice(1));
  const own = "current_schema()::regnamespace";
  const tables = await run(
    `SELECT relname::text AS name FROM pg_class WHERE relnamespace = ${own} AND relkind IN ('r', 'p') AND NOT ` +
      `relispartition`,
  );
  const indexes = await run(
    `SELECT t.relname::text AS table, c.relname::text AS name, ARRAY(SELECT a.attname::text FROM pg_attribute a
       WHERE a.attrelid = t.oid AND a.attnum = ANY (i.indkey::int2[])) AS columns
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
     WHERE t.relnamespace = ${own} AND i.indisunique AND NOT t.relispartition`,
  );
  const references = await run(
    `SELECT conname::text AS name, f.relname::text AS of, t.relname::text AS to FROM pg_constraint
     JOIN pg_class f ON f.oid = conrelid JOIN pg_class t ON t.oid = confrelid
     WHERE contype = 'f' AND connamespace = ${own} AND conparentid = 0`,
  );
  const isKeyed = (table: unknown) => Object.hasOwn(KEYS, String(table));
  const keyed = (column: string) => Object.keys(KEYS).filter((table) => KEYS[table] === column);
  const lacking = indexes
    .filter(({ table, columns }) => isKeyed(table) && !(columns as string[]).includes(KEYS[String(table)] ?? ""))
    .map(({ name }) => String(name));
  const expected = [
    keyed("stream_id"),
    keyed("scope_hash"),
    tables.map(({ name }) => String(name)).filter((name) => !isKeyed(name)),
    lacking.filter((name) => !OVER_STREAMS.includes(name)),
    lacking.filter((name) => OVER_STREAMS.includes(name)),
    references.filter(({ of, to }) => !isKeyed(of) && isKeyed(to)).map(({ name }) => String(name)),
  ];
  assert.deepEqual(
    listed(),
    expected.map((names) => names.toSorted()),
  );
});
