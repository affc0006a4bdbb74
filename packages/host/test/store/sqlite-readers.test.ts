/** Reading connections whose lists come row by row, for threads whose heap has a limit. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { ON_FILE } from "@svc/testkit/drivers";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { openSqlite } from "../../src/store/sqlite.ts";
import { SqliteReaders } from "../../src/store/sqlite-readers.ts";

const ROWS = `WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < $1)
  SELECT number, PRINTF('%.*c', 1000, 'x') || number AS text FROM numbers`;

test("a list is the same, read row by row", ON_FILE, async () => {
  const path = join(temporaryFolder(), "rows.db");
  const database = openSqlite(path);
  const readers = new SqliteReaders(path, { rowByRow: true });
  for (const count of [1, 500])
    assert.deepEqual(
      await readers.read((reader) => reader.all(ROWS, count)),
      await database.read((reader) => reader.all(ROWS, count)),
    );
  assert.deepEqual(await readers.read((reader) => reader.all("SELECT 1 WHERE 1 = 0")), []);
  readers.close();
  await database.close();
});
