/** The write-ahead log is moved into the database by a thread while others write, and begins anew. */

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { type Database, openSqlite } from "@svc/host/store";
import { ON_FILE } from "@svc/testkit/drivers";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";

const PAGES = 64;
const FRAME_BYTES = 24 + 4096;

const count = (database: Database) =>
  database.read(async (reader) => (await reader.first<{ rows: number }>("SELECT count(*) AS rows FROM texts"))?.rows);

async function opened(t: TestContext) {
  const path = join(temporaryFolder(), "svc.db");
  const uncertain: unknown[] = [];
  const database = openSqlite(path, (error) => uncertain.push(error), { checkpointPages: PAGES });
  t.after(() => database.close());
  await database.write((writer) => writer.script("CREATE TABLE texts (number BIGINT PRIMARY KEY, text TEXT)"));
  let number = 0;
  const insert = () => {
    const row = ++number;
    return database.write((writer) => writer.run("INSERT INTO texts VALUES ($1, $2)", row, "x".repeat(5000)));
  };
  const logPages = () => (statSync(`${path}-wal`).size - 32) / FRAME_BYTES;
  const other = new DatabaseSync(path);
  t.after(() => other.close());
  const log = () => other.prepare("PRAGMA wal_checkpoint(NOOP)").get() as { log: number };
  return { path, database, insert, logPages, log, uncertain };
}

test("the log begins anew again and again, and every row is there after a reopening", ON_FILE, async (t) => {
  const { path, database, insert, log, uncertain } = await opened(t);
  for (let written = 1, beginnings = 0; beginnings < 5; written++) {
    const before = log().log;
    await insert();
    if (log().log < before) beginnings += 1;
    assert.ok(written < 20_000, `the log began anew ${beginnings} times only`);
  }
  const [row] = await Promise.all([count(database), database.close()]);
  const again = openSqlite(path);
  t.after(() => again.close());
  assert.deepEqual([await count(again), uncertain], [row, []]);
});

test(
  "the thread moves pages while nothing is written, and the writer moves the few that are left",
  ON_FILE,
  async (t) => {
    const { path, insert, log } = await opened(t);
    const before = statSync(path).size;
    while (statSync(`${path}-wal`).size < (PAGES + 8) * FRAME_BYTES) await insert();
    await until("the file has grown", async () => (statSync(path).size > before + (PAGES / 8) * 4096 ? true : null));
    await until("the log begins anew", async () => {
      await insert();
      return log().log < PAGES / 2 ? true : null;
    });
  },
);

test("a snapshot that is being read keeps its pages in the log, and sees what it saw", ON_FILE, async (t) => {
  const { database, insert, logPages, log } = await opened(t);
  await insert();
  await database.read(async (reader) => {
    const seen = () => reader.first<{ rows: number }>("SELECT count(*) AS rows FROM texts");
    assert.equal((await seen())?.rows, 1);
    for (let round = 0; round < 300; round++) await insert();
    assert.ok(logPages() > 300, `${logPages()} pages`);
    assert.equal((await seen())?.rows, 1);
  });
  assert.equal(await count(database), 301);
  await until("the log begins anew", async () => {
    await insert();
    return log().log < 300 ? true : null;
  });
});

test("closing waits for a checkpoint that is under way", ON_FILE, async (t) => {
  for (let round = 0; round < 3; round++) {
    const { database, insert, path } = await opened(t);
    while (statSync(`${path}-wal`).size < PAGES * FRAME_BYTES) await insert();
    await insert();
    await database.close();
    const again = openSqlite(path);
    const row = await again.read((reader) => reader.first<{ result: string }>("PRAGMA quick_check"));
    assert.deepEqual({ ...row }, { quick_check: "ok" });
    await again.close();
  }
});
