/**
 * An empty database with the tables that jobs and the outbox need. Its time is that of the clock which a test hands in,
 * also where a server has its own clock.
 */
import type { TestContext } from "node:test";
import { newDatabase, withTime } from "@svc/testkit/drivers";
import type { Database } from "../src/store/database.ts";
import { type Migration, migrate, soleSchema } from "../src/store/migrate.ts";

/** The tables as the server's migrations make them, without the reference to tenants. */
const JOBS: Migration = {
  version: 1,
  name: "jobs",
  sql: `
CREATE TABLE outbox (
  outbox_id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  payload TEXT NOT NULL,
  created_at TEXT NOT NULL,
  attempts BIGINT NOT NULL,
  next_attempt_at TEXT NOT NULL,
  lease_owner TEXT,
  lease_until TEXT,
  done_at TEXT,
  last_error TEXT,
  stream_id TEXT,
  UNIQUE (kind, subject)
);
CREATE INDEX outbox_due ON outbox (kind, next_attempt_at) WHERE done_at IS NULL;
CREATE TABLE jobs (
  job_name TEXT PRIMARY KEY,
  lease_owner TEXT NOT NULL,
  lease_until TEXT NOT NULL,
  fencing_no BIGINT NOT NULL
);
`,
};

/** The tenant of the messages. */
export const TENANT = "tnt_00000000000000000000000001";

/** Resolves to the database, which is closed after the test. */
export async function jobsDatabase(t: Pick<TestContext, "after">): Promise<Database> {
  const database = await newDatabase(t);
  await migrate(database, () => "2026-03-01T00:00:00.000Z", [soleSchema([JOBS])]);
  return withTime(database, (clock) => clock());
}
