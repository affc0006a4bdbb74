/** The pages on PostgreSQL: every answer is the same there, and no statement behind it reads a growing table whole. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contractsOf } from "@svc/api";
import { pageInPlace } from "@svc/testkit/built";
import { NO_POSTGRES, startPostgres } from "@svc/testkit/postgres";
import { LOGS_PLANS, ONLY_BY_INDEXES, plannedIn, wholeReadsOf } from "@svc/testkit/postgres-plans";
import { committedPages, linesOf } from "../committed.ts";
import { apiPages, DATA_FOLDERS } from "../page.ts";

/** Tables that grow with what operators do, not with events: they are read whole. */
const SMALL = new Set([
  ...["service", "signing_keys", "key_endorsements", "package_folder", "archive_folder", "archive_leavings"],
  ...["service_log", "tenants", "systems", "jobs", "schema_migrations"],
]);
/** Migrations read all that they change, once. */
const OF_MIGRATION =
  /^SET LOCAL statement_timeout = 0;|FROM idempotency_records_by_key|^SELECT fork_id, document FROM forks$/;
/** A start compares the newest rows of all streams: it looks at each stream once, and at one row for it. */
const OF_START = [
  "SELECT s.stream_id, w.document FROM streams s JOIN windows w ",
  "SELECT s.stream_id, c.document FROM streams s JOIN checkpoints c",
  "SELECT e.stream_event_id, e.event_hash, e.received_at FROM streams s",
];
/** The metrics of the archive count its files: one row for each, which stands for up to 10,000 events. */
const OF_METRICS = "SELECT COUNT(file) AS files";

await pageInPlace();

test("every command on a page shows the same on PostgreSQL, and no statement reads a growing table whole", {
  skip: NO_POSTGRES,
}, async (t) => {
  const server = await startPostgres(t, { settings: { ...LOGS_PLANS, ...ONLY_BY_INDEXES } });
  const databases: Record<string, string> = {};
  for (const folder of DATA_FOLDERS) databases[folder] = await server.newDatabase();
  const pages = await apiPages(contractsOf({ withMetrics: true }), databases);
  assert.deepEqual(linesOf(pages), committedPages());

  const reads = wholeReadsOf(plannedIn(server.log()));
  // The log has plans, and this finds what they read: a table of one row is read whole.
  assert.ok(reads.some(({ table, index }) => table === "service" && index === null));
  // An index of what is still to be done is read whole, and is short.
  const rows = await server.run(
    "SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indpred IS NOT NULL",
    new URL(databases["svc-data"] ?? "").pathname.slice(1),
  );
  const partial = new Set(rows.map(({ name }) => name));
  const isMeant = ({ sql, table, index }: (typeof reads)[number]) =>
    SMALL.has(table) ||
    partial.has(index) ||
    OF_MIGRATION.test(sql) ||
    [...OF_START, OF_METRICS].some((start) => sql.startsWith(start));
  assert.deepEqual(
    reads.filter((read) => !isMeant(read)),
    [],
  );
});
