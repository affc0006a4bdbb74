/** Threads whose heap has a limit: what does not fit ends the thread alone. The runtime takes a minute to give up. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { ON_FILE } from "@svc/testkit/drivers";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { openSqlite } from "../../src/store/sqlite.ts";

const ROWS = `WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < $1)
  SELECT number, PRINTF('%.*c', 1000, 'x') || number AS text FROM numbers`;

test("a list that exceeds the heap of a thread ends the thread, and not the process", ON_FILE, async () => {
  const path = join(temporaryFolder(), "rows.db");
  const database = openSqlite(path);
  const module = new URL("../../src/store/sqlite-readers.ts", import.meta.url).href;
  const program = `import { SqliteReaders } from ${JSON.stringify(module)};
    const readers = new SqliteReaders(${JSON.stringify(path)}, { rowByRow: true });
    await readers.read((reader) => reader.all(${JSON.stringify(ROWS)}, 1_000_000));`;
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), {
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 32 },
  });
  const code = await new Promise((resolve) => {
    thread.once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    thread.once("exit", resolve);
  });
  assert.equal(code, "ERR_WORKER_OUT_OF_MEMORY");
  await database.close();
});
