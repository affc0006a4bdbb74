/** Transactions that arrive together on a disk that is full: only those that need room are refused. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openSqlite, StoreFull } from "@svc/host/store";
import { ON_FILE } from "@svc/testkit/drivers";
import { mountSmallDisk, NO_SMALL_DISK } from "@svc/testkit/small-disk";
import { temporaryFolder } from "@svc/testkit/temporary-folder";

const disk = temporaryFolder();
const skip = ON_FILE.skip || (mountSmallDisk(disk, "1m") ? false : NO_SMALL_DISK);

test("what finds no room takes none of those with it that share its commit", { skip }, async (t) => {
  const database = openSqlite(join(disk, "svc.db"));
  t.after(() => database.close());
  await database.write((writer) => writer.script("CREATE TABLE texts (number BIGINT PRIMARY KEY, text TEXT)"));
  const insert = (number: number, length: number) =>
    database.write((writer) => writer.run("INSERT INTO texts VALUES ($1, $2)", number, "x".repeat(length)));
  const count = () => database.write((writer) => writer.first<{ rows: number }>("SELECT count(*) AS rows FROM texts"));
  const [small, none, large, next] = await Promise.allSettled([
    insert(1, 10),
    count(),
    insert(2, 2 * 1024 * 1024),
    insert(3, 10),
  ]);
  assert.deepEqual([small.status, none.status, next.status], ["fulfilled", "fulfilled", "fulfilled"]);
  assert.ok(large.status === "rejected" && large.reason instanceof StoreFull);
  assert.equal((await count())?.rows, 2);
});
