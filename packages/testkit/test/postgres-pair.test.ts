/** The pair for tests: what the primary has confirmed, the standby has. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_POSTGRES } from "../src/postgres.ts";
import { startPair } from "../src/postgres-pair.ts";
import { until } from "../src/until.ts";

const options = { skip: NO_POSTGRES, timeout: 120_000 };

test(
  "a committed row survives the death of the primary: the promoted standby has it, and is written",
  options,
  async (t) => {
    const { primary, standby, newDatabase, promote } = await startPair(t);
    const url = await newDatabase();
    assert.match(
      url,
      /^postgresql:\/\/postgres:\w+@127\.0\.0\.1:\d+,127\.0\.0\.1:\d+\/svc_test_\w+\?target_session_attrs=read-write$/,
    );
    assert.ok(url.includes(`:${primary.port},`) && url.includes(`:${standby.port}/`));
    const name = /\/(\w+)\?/.exec(url)?.[1] ?? "";
    await primary.run("CREATE TABLE t (n int); INSERT INTO t SELECT generate_series(1, 100)", name);
    await assert.rejects(standby.run("CREATE TABLE u (n int)"), { code: "25006" });
    await primary.stop("immediate");
    await promote();
    assert.deepEqual(await standby.run("SELECT count(*)::int AS n FROM t", name), [{ n: 100 }]);
    await standby.run("INSERT INTO t VALUES (101)", name);
    assert.deepEqual(await standby.run("SELECT count(*)::int AS n FROM t", name), [{ n: 101 }]);
  },
);

test("without its standby the primary confirms nothing; with it again it does", options, async (t) => {
  const { primary, standby } = await startPair(t);
  await primary.run("CREATE TABLE t (n int)");
  await standby.stop("immediate");
  let isConfirmed = false;
  const inserted = primary.run("INSERT INTO t VALUES (1)").then(() => {
    isConfirmed = true;
  });
  await until("the commit waits", async () => {
    const waiting = await primary.run("SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
    return waiting.length === 1 ? true : null;
  });
  assert.equal(isConfirmed, false);
  await standby.start();
  await inserted;
  assert.deepEqual(
    await until("the row is read on the standby", async () => {
      const rows = await standby.run("SELECT n FROM t");
      return rows.length > 0 ? rows : null;
    }),
    [{ n: 1 }],
  );
});
