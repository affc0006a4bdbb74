/** fsck on PostgreSQL: an index that hides a row is found by the server's own extension, and rebuilt. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ON_NAMED } from "@svc/testkit/drivers";
import { command } from "@svc/testkit/server/child-process";
import { deployment } from "../backup/recovered-deployment.ts";

test("an index that hides a row is named, where the server lets fsck look, and made anew", ON_NAMED, async (t) => {
  const { data, server, environment, start } = await deployment(t);
  const { append, end } = await start();
  await append(1, 2);
  assert.equal(await end("SIGTERM"), 0);
  const fsck = async (...words: string[]) => {
    const { code, out, err } = await command(["fsck", "--data", data, ...words], environment);
    return { code, out, err };
  };
  const blind = await fsck();
  assert.deepEqual([blind.code, blind.err], [0, ""]);
  assert.match(
    blind.out,
    /^Nothing is wrong\.\nThe server's indexes were not looked at: .*amcheck.*docs\/operations\.md/,
  );
  const change = (sql: string) => server.run(sql, "svc");
  await change("CREATE EXTENSION amcheck");
  assert.deepEqual(JSON.parse((await fsck("--json")).out), { ok: true, faults: [], not_looked_at: ["indexes"] });
  await change("GRANT EXECUTE ON FUNCTION bt_index_check(regclass, boolean) TO svc");
  assert.deepEqual(await fsck(), { code: 0, out: "Nothing is wrong.\n", err: "" });

  // Rows that come while an index is not ready are not in it: a request that is sent again would not be found.
  const [index] = await change(
    `SELECT indexrelid::regclass::text AS name FROM pg_index
     WHERE indrelid = 'idempotency_records'::regclass AND indisunique AND NOT indisprimary`,
  );
  const ready = (is: boolean) =>
    change(`UPDATE pg_index SET indisready = ${is} WHERE indexrelid = '${index?.name}'::regclass`);
  await ready(false);
  await change(
    `CREATE TEMP TABLE kept AS SELECT * FROM idempotency_records; DELETE FROM idempotency_records;
     INSERT INTO idempotency_records OVERRIDING SYSTEM VALUE SELECT * FROM kept`,
  );
  await ready(true);
  const found = await fsck("--json");
  assert.equal(found.code, 1);
  const { faults } = JSON.parse(found.out);
  assert.deepEqual([faults[0].table, faults[0].row], ["idempotency_records", { index: index?.name }]);
  assert.match(faults[0].fault, /XX00[12].*lacks matching index tuple/);
  assert.match(
    found.err,
    /in idempotency_records\. Only indexes are damaged.*of the database's server.*--rebuild-indexes/,
  );
  const rebuilt = await fsck("--rebuild-indexes");
  assert.deepEqual([rebuilt.code, rebuilt.out], [0, "Nothing is wrong.\n"], rebuilt.err);
});
