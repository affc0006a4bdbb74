/** A file that one process has for itself. */

import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { openSole, openSqlite } from "@svc/host/store";
import { ON_FILE } from "@svc/testkit/drivers";
import { temporaryFolder } from "@svc/testkit/temporary-folder";

async function filled(): Promise<string> {
  const path = join(temporaryFolder(), "svc.db");
  const database = openSqlite(path);
  await database.write((writer) => writer.script("CREATE TABLE t (x BIGINT); INSERT INTO t VALUES (1)"));
  await database.close();
  return path;
}

test("nobody else opens the file, and all of it is in the file", ON_FILE, async () => {
  const path = await filled();
  const sole = openSole(path);
  assert.ok(sole !== null);
  assert.equal(openSole(path), null);
  assert.throws(() => openSqlite(path), /database is locked/);
  assert.equal(await sole.write((writer) => writer.run("INSERT INTO t VALUES (2)")), 1);
  await assert.rejects(
    sole.write(async (writer) => {
      await writer.run("INSERT INTO t VALUES (3)");
      throw new Error("no");
    }),
    /no/,
  );
  await sole.close();
  await sole.close();
  assert.deepEqual(readdirSync(dirname(path)), ["svc.db"]);
  const database = openSqlite(path);
  const rows = await database.read((reader) => reader.all<{ x: number }>("SELECT x FROM t ORDER BY x"));
  assert.deepEqual(
    rows.map(({ x }) => x),
    [1, 2],
  );
  await database.close();
});

test("a file that another connection has open is not had alone", ON_FILE, async () => {
  const path = await filled();
  const other = openSqlite(path);
  await other.read((reader) => reader.all("SELECT x FROM t"));
  assert.equal(openSole(path), null);
  assert.equal(await other.write((writer) => writer.run("INSERT INTO t VALUES (2)")), 1);
  await other.close();
  const sole = openSole(path);
  assert.ok(sole !== null && !existsSync(`${path}-wal`));
  await sole.close();
});
