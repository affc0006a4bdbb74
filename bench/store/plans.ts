/**
 * The plans that a server with years of rows chooses by itself, of `bench store`: every way on which evidence is
 * recorded, sealed, read and forgotten is used once, and no statement behind it may read a table that grows whole.
 */
import { setTimeout as pause } from "node:timers/promises";
import { LOGS_PLANS, type Planned, plannedIn, wholeReadsOf } from "@svc/testkit/postgres-plans";
import { Client } from "@svc/testkit/server/client";
import { useEveryPath } from "@svc/testkit/server/every-path";
import { KEYS } from "@svc/testkit/server/table-keys";
import { type Row, row, WrongAnswer } from "../measure.ts";
import { startOurs } from "../server/programs.ts";
import { type StoreBench, wanted } from "./bench.ts";
import { filled } from "./filled.ts";

const POLL_MS = 20;
/** The records of keys that are old enough to be forgotten. */
const OLD_RECORDS = 1000;
/** The queue of the service log is short, and a short table is read whole. */
const LOOKED_AT = new Set(Object.keys(KEYS).filter((table) => table !== "unlogged_checkpoints"));

/**
 * Uses every path once. Throws WrongAnswer if a statement reads a growing table, or an index of one, from end to end.
 */
export async function plans(bench: StoreBench): Promise<Row[]> {
  const { folder, database, what } = await filled(bench);
  const { postgres } = bench;
  const run = (sql: string) => postgres.run(sql, database);
  await run(
    `UPDATE idempotency_records SET created_at = '2020-01-01T00:00:00.000Z' WHERE record_no <= ${OLD_RECORDS}; ANALYZE`,
  );
  await postgres.configure(LOGS_PLANS);
  const server = await startOurs(folder, {
    SVC_SEAL_INTERVAL_MS: "20",
    SVC_EPOCH_INTERVAL_MS: "20",
    SVC_ARCHIVE_AFTER_DAYS: "3650",
  });
  // A start compares the newest rows of all streams, once.
  const started = postgres.log().length;
  try {
    const client = new Client(`http://127.0.0.1:${server.port}`, folder.apiKey);
    const [one = "", other = ""] = await server.streams(2);
    await useEveryPath(client, [one, other]);
    while ((await run("SELECT 1 FROM idempotency_records WHERE created_at < '2021' LIMIT 1")).length > 0)
      await pause(POLL_MS);
    // The metrics read tables too.
    await server.commits();
  } finally {
    await server.close();
    await postgres.configure({ "auto_explain.log_min_duration": "-1" });
  }
  const statements = plannedIn(postgres.log().slice(started), "svc-server");
  const partial = await run("SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indpred IS NOT NULL");
  requireIndexes(statements, new Set(partial.map(({ name }) => name)));
  const slowest = Math.max(...statements.map(({ tookMs }) => tookMs));
  const kinds = new Set(statements.map(({ sql }) => sql)).size;
  return [row(`${what}, slowest of ${kinds} statements`, "ms", slowest, 250, "limit", wanted(bench, { at_most: 1 }))];
}

/**
 * Throws WrongAnswer with each statement that reads a growing table from end to end. An index of what is still to be
 * done is read whole, and is short.
 */
function requireIndexes(statements: readonly Planned[], partial: ReadonlySet<unknown>): void {
  const touched = new Set(statements.flatMap(({ sql }) => [...LOOKED_AT].filter((table) => sql.includes(table))));
  const untouched = [...LOOKED_AT].filter((table) => !touched.has(table));
  if (untouched.length > 0) throw new WrongAnswer(`no plan was logged for ${untouched.join(", ")}`);
  const reads = wholeReadsOf(statements).filter(
    ({ table, index }) => LOOKED_AT.has(table.replace(/_\d+$/, "")) && !partial.has(index),
  );
  if (reads.length === 0) return;
  const lines = reads.map(({ sql, table, index }) => `${index === null ? table : `${index} of ${table}`}: ${sql}`);
  throw new WrongAnswer(`read from end to end:\n${lines.join("\n")}`);
}
