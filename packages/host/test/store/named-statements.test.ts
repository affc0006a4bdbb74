/** A server plans a statement once for each connection, and the plan may not last. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ON_NAMED } from "@svc/testkit/drivers";
import { startPostgres } from "@svc/testkit/postgres";
import type { Database } from "../../src/store/database.ts";
import { opened, withCounter } from "./counter.ts";

const LOCKING = { isLocking: true };
const whole = (database: Database) =>
  database.write((writer) => writer.first<object>(`SELECT * FROM counters ${writer.locking("counters")}`), LOCKING);

test("a statement is planned once for a connection", ON_NAMED, async (t) => {
  const server = await startPostgres(t);
  const database = opened(t, await server.newDatabase());
  await withCounter(database);
  for (let time = 0; time < 9; time++) await whole(database);
  const planned = await database.write((writer) =>
    writer.all(
      `SELECT (generic_plans + custom_plans)::int AS calls FROM pg_prepared_statements
       WHERE statement = 'SELECT * FROM counters FOR UPDATE OF counters'`,
    ),
  );
  assert.deepEqual(planned, [{ calls: 9 }]);
});

test("a statement whose columns have changed, or that the server has forgotten, is run again", ON_NAMED, async (t) => {
  const server = await startPostgres(t);
  const url = await server.newDatabase();
  const database = opened(t, url);
  await withCounter(database);
  assert.deepEqual(await whole(database), { value: 0 });
  await server.run("ALTER TABLE counters ADD COLUMN name TEXT", new URL(url).pathname.slice(1));
  assert.deepEqual(await whole(database), { value: 0, name: null });
  await whole(database);
  await database.write((writer) => writer.script("DEALLOCATE ALL"));
  assert.deepEqual(await whole(database), { value: 0, name: null });
});
