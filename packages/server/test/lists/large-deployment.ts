/**
 * A deployment that has grown by a million rows, inserted by SQL: none of their hashes and seals holds, and lists do
 * not need that. Every second row of a table has one value in each column by which a list can be narrowed, and the
 * others have another, so that two filters can each match half of it and both together nothing.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { systemClock } from "@svc/host/clock";
import { type Made, makeDeployment } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { kernel } from "../../src/kernel.ts";
import { openService } from "../../src/serving/open-service.ts";
import { readConfig } from "../../src/settings/config.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";
import { type CountingDatabase, openCounting } from "./counting-database.ts";

/** The rows of each table; together they are a million. */
export const ROWS = 170_000;

/** A large deployment, and the ids of its objects. */
export interface LargeDeployment {
  readonly made: Made;
  /** A stream that is no log, one that is the log of its system, and a small log before that one. */
  readonly streamId: string;
  readonly logId: string;
  readonly firstLogId: string;
}

/** Returns an id of a kind, by its number: ids sort like their numbers. */
export function idOf(kind: string, number: number): string {
  return `${kind}_${String(number).padStart(26, "0")}`;
}

/** Makes the deployment in a folder for temporary files. */
export async function makeLargeDeployment(most = ROWS): Promise<LargeDeployment> {
  const made = await makeDeployment(join(temporaryFolder(), "data"));
  const database = new DatabaseSync(join(made.data_folder, "svc.db"));
  const [streamId, firstLogId, logId] = [1, 2, 3].map((number) => idOf("str", number)) as [string, string, string];
  // Only this test may do that, because the file is thrown away.
  database.exec(
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -300000",
  );
  database.exec("BEGIN");
  const fill = (statement: string, rows = most) =>
    database.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows})
      ${statement.replaceAll("$tenant", `'${made.tenant_id}'`).replaceAll("$system", `'${made.system_id}'`)}`);
  const id = (kind: string, more = 0) => `printf('${kind}_%026d', ${more} + n)`;
  const half = (name: string) => `'${name}-' || (n % 2)`;

  fill(
    `INSERT INTO streams (stream_id, tenant_id, system_id, class, use_case, policy_id, policy_explicit, metadata, created_at, actor_id,
       head_seq_no, head_event_hash, windowed_to_seq_no, window_count, checkpointed_window_count, checkpointed_to_seq_no, event_log_no)
     SELECT ${id("str")}, $tenant, CASE WHEN n <= 100 OR n % 4 < 2 THEN $system ELSE 'sys_other' END,
       CASE n % 2 WHEN 0 THEN 'legacy' ELSE 'provenance' END, ${half("use")}, 'default', 0, '{}', '2026', 'a',
       CASE n WHEN 1 THEN ${most} WHEN 2 THEN 10 WHEN 3 THEN ${most} ELSE 0 END, '', 0, CASE n WHEN 1 THEN 1000 ELSE 0 END,
       CASE n WHEN 1 THEN 1000 ELSE 0 END, 0, CASE n WHEN 2 THEN 1 WHEN 3 THEN 2 END FROM numbers`,
  );
  const events = (streamId: string, logNo: number | null, from: number, rows = most) =>
    fill(
      `INSERT INTO events (stream_event_id, tenant_id, stream_id, seq_no, source_ref, event_type, occurred_at, occurred_at_utc,
         received_at, payload, payload_salt, payload_hash, previous_event_hash, event_hash, stream_head_hash, receipt_kid,
         receipt_signature, actor_kind, actor_id, event_log_no, status)
       SELECT ${id("sev", from)}, $tenant, '${streamId}', n, ${half("ref")}, ${half("type")}, '', printf('20%d0-%06d', 2 + n % 2, n),
         '2026', '{}', '', '', '', '', '', '', '', 'system', 'a', ${logNo ?? "NULL"},
         ${logNo === null ? "NULL" : half("status")} FROM numbers`,
      rows,
    );
  events(streamId, null, 0);
  events(firstLogId, 1, most, 10);
  events(logId, 2, 2 * most);
  fill(
    `INSERT INTO exports (export_id, tenant_id, actor_kind, actor_id, payloads, state, created_at, build_no, attempts, file_removed_at)
     SELECT ${id("exp")}, $tenant, 'system', $system, 'included', CASE n % 2 WHEN 0 THEN 'deleted' ELSE 'failed' END, '2026', 1, 1, '2026'
     FROM numbers`,
  );
  fill(
    `INSERT INTO export_ranges (export_id, stream_id, tenant_id, from_seq_no, to_seq_no)
     SELECT ${id("exp")}, '${streamId}', $tenant, 1, 1 FROM numbers`,
  );
  fill(
    `INSERT INTO access_log (access_id, tenant_id, at, actor_kind, actor_id, action, object_id, detail)
     SELECT ${id("acc")}, CASE n % 2 WHEN 0 THEN $tenant ELSE 'ten_other' END, printf('%06d', n / 3), 'system', 'a',
       CASE n % 2 WHEN 0 THEN 'stream.created' ELSE 'event.erased' END, ${half("object")}, '{}' FROM numbers`,
  );
  fill(
    `INSERT INTO windows (window_id, tenant_id, stream_id, window_no, from_seq_no, to_seq_no, window_hash, document)
     SELECT ${id("win")}, $tenant, '${streamId}', n, n, n, '', '{"window_no":' || n || '}' FROM numbers`,
    1000,
  );
  fill(
    `INSERT INTO checkpoints (checkpoint_id, tenant_id, stream_id, checkpoint_no, window_count, to_seq_no, checkpoint_hash,
       witness_policy_digest, frontier_before, document)
     SELECT ${id("chk")}, $tenant, '${streamId}', n, n, n, '', '', '[]', '{"checkpoint_no":' || n || '}' FROM numbers`,
    1000,
  );
  fill(
    `INSERT INTO forks (fork_id, tenant_id, stream_id, fork_no, sides_hash, detected_at, document)
     SELECT ${id("frk")}, $tenant, '${streamId}', n, 'sides ' || n, '2026', '{}' FROM numbers`,
    1000,
  );
  // Outbox messages that are done, and a due one behind them.
  fill(
    `INSERT INTO outbox (outbox_id, tenant_id, kind, subject, payload, created_at, attempts, next_attempt_at, done_at, stream_id)
     SELECT ${id("obx")}, $tenant, 'witness.cosign', ${id("chk")}, '{}', '2026', 1, '2026', CASE n WHEN 10000 THEN NULL ELSE '2026' END,
       '${streamId}' FROM numbers`,
    10_000,
  );
  database.exec("COMMIT");
  database.close();
  return { made, streamId, logId, firstLogId };
}

/** Resolves to the service of a deployment whose reads are counted. */
export async function openCounted({ made }: LargeDeployment) {
  const config = readConfig(THIN_SERVER, { SVC_DATA: made.data_folder });
  const opened: CountingDatabase[] = [];
  const openDatabase = (...given: Parameters<typeof openCounting>) => {
    const database = openCounting(...given);
    opened.push(database);
    return database;
  };
  const service = await openService({ program: THIN_SERVER, config, kernel, clock: systemClock, openDatabase });
  const [database] = opened;
  if (database === undefined) throw new Error("no database was opened");
  database.count();
  return { config, service, database };
}
