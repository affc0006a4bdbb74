/** Statements are found by their plans: those that read a table whole, and no others. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_POSTGRES, startPostgres } from "../src/postgres.ts";
import { LOGS_PLANS, ONLY_BY_INDEXES, plannedIn, wholeReadsOf } from "../src/postgres-plans.ts";

test("a statement for which there is no index is found in the log, one that has an index or a limit is not", {
  skip: NO_POSTGRES,
}, async (t) => {
  const server = await startPostgres(t, { settings: { ...LOGS_PLANS, ...ONLY_BY_INDEXES } });
  await server.run("CREATE TABLE things (id BIGINT PRIMARY KEY, name TEXT); INSERT INTO things VALUES (1, 'one')");
  const byName = "SELECT id FROM things WHERE name = 'one'";
  const all = "SELECT name FROM things ORDER BY id";
  for (const sql of [byName, all, `${all} LIMIT 1`, "SELECT name FROM things WHERE id = 1", byName])
    await server.run(sql);
  const statements = plannedIn(server.log());
  assert.deepEqual(plannedIn(server.log(), "another"), []);
  assert.ok(statements.every(({ tookMs }) => tookMs > 0));
  assert.deepEqual(wholeReadsOf(statements), [
    { sql: byName, table: "things", index: null },
    { sql: all, table: "things", index: "things_pkey" },
  ]);
});
