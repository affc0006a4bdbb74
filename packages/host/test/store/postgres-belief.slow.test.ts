/** A primary that comes back: what it shows is believed once its standbys have all of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ON_NAMED } from "@svc/testkit/drivers";
import { startPair } from "@svc/testkit/postgres-pair";
import { until } from "@svc/testkit/until";
import { AnswerLost, StoreUnavailable } from "../../src/store/database.ts";
import { add, opened, value, withCounter } from "./counter.ts";

test(
  "a row that a primary shows after its restart, and its standby does not have, is not read",
  ON_NAMED,
  async (t) => {
    const pair = await startPair(t);
    const name = /\/(\w+)\?/.exec(await pair.newDatabase())?.[1] ?? "";
    // A user without any right on the server itself, as the one of a deployment is.
    await pair.primary.run(
      `CREATE ROLE plain LOGIN PASSWORD 'plain'; ALTER DATABASE ${name} OWNER TO plain; GRANT CREATE ON SCHEMA public TO plain`,
      name,
    );
    const database = opened(t, pair.url(name).replace(/\/\/[^@]*@/, "//plain:plain@"));
    await withCounter(database);
    await pair.standby.stop("immediate");
    const lost = assert.rejects(add(database, 1), AnswerLost);
    await until("it waits for the standby", async () => {
      const waiting = await pair.primary.run("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
      return waiting.length > 0 ? true : null;
    });
    await pair.primary.stop("immediate");
    await lost;
    await pair.primary.start();
    assert.deepEqual(await pair.primary.run("SELECT value::int FROM counters", name), [{ value: 1 }]);
    await assert.rejects(value(database), StoreUnavailable);
    await assert.rejects(add(database, 1), StoreUnavailable);
    await pair.standby.start();
    assert.equal(await until("the primary is read", () => value(database).catch(() => null)), 1);
  },
);
