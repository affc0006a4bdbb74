/** Plans that a server has made for small tables do not last. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ON_NAMED } from "@svc/testkit/drivers";
import { startPostgres } from "@svc/testkit/postgres";
import { until } from "@svc/testkit/until";
import { opened } from "./counter.ts";

test("a connection that writes is another one after a while, and its plans are gone", ON_NAMED, async (t) => {
  const server = await startPostgres(t);
  const database = opened(t, await server.newDatabase());
  const look = () =>
    database.write((writer) =>
      writer.first<{ pid: number; plans: number }>(
        "SELECT pg_backend_pid() AS pid, (SELECT COUNT(*)::int FROM pg_prepared_statements) AS plans",
      ),
    );
  const first = await look();
  assert.equal((await look())?.pid, first?.pid);
  const next = await until("another process answers", async () => {
    const found = await look();
    return found?.pid === first?.pid ? null : found;
  });
  assert.ok((next?.plans ?? 9) <= 1);
});
