/**
 * A database on a server with years of rows, for groups of `bench store`. Its rows have the size of real ones, and
 * meaningless hashes.
 */
import { join } from "node:path";
import { makeOurs, type OurFolder, startOurs } from "../server/programs.ts";
import type { StoreBench } from "./bench.ts";

/** A deployment whose database is full. */
export interface Filled {
  readonly folder: OurFolder;
  /** The database's name on its server. */
  readonly database: string;
  /** The numbers of its rows, in words. */
  readonly what: string;
}

const known = new WeakMap<StoreBench, Promise<Filled>>();

/** Resolves to the one full deployment of a run, which nobody serves yet. It is filled when it is first asked for. */
export function filled(bench: StoreBench): Promise<Filled> {
  const deployment = known.get(bench) ?? make(bench);
  known.set(bench, deployment);
  return deployment;
}

async function make(bench: StoreBench): Promise<Filled> {
  const [streams, events] = bench.quick ? [5_000, 50_000] : [100_000, 10_000_000];
  const url = await bench.postgres.newDatabase();
  const folder = await makeOurs(join(bench.folder, "years"), url);
  const filling = await startOurs(folder);
  const [first = ""] = await filling.streams(1);
  await filling.close();
  const database = new URL(url).pathname.slice(1);
  await fill(bench, database, first, streams, events / streams);
  return { folder, database, what: `${events} events in ${streams} streams` };
}

/**
 * Fills a database with streams like the first one. Each has as many events, and the records of their requests; and a
 * window over them, with its checkpoint and the statement of its witness.
 */
async function fill(
  { postgres }: StoreBench,
  database: string,
  first: string,
  streams: number,
  each: number,
): Promise<void> {
  const hash = "md5(random()::text) || md5(random()::text)";
  const id = "lpad(n::text, 26, '0')";
  // The files themselves are not there: nobody asks for what is in them.
  const archived = each / 10;
  const seqNo = `(n / ${streams} + 1)`;
  const timeOf = (place: string) =>
    `to_char(timestamp '2024-01-01' + ${place} * interval '6 seconds', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const time = timeOf("n");
  // A start reads the last events of all streams that share the latest time: two streams hardly ever do.
  const lastTime = timeOf(`(${streams * (each - 1)} + n)`);
  const document = `'{"hashes":"' || repeat(md5(random()::text), 30) || '"}'`;
  const numbers = `generate_series(0, ${streams * each - 1}) n JOIN bench_streams b ON b.place = n % ${streams}`;
  const ofStreams = "FROM bench_streams b CROSS JOIN LATERAL (SELECT b.place AS n) numbered";
  await postgres.run(
    `SET synchronous_commit = off;
     INSERT INTO streams SELECT (jsonb_populate_record(s, jsonb_build_object('stream_id', 'str_' || ${id}, 'head_seq_no', ${each},
       'head_event_hash', ${hash}, 'last_received_at', ${lastTime}, 'windowed_to_seq_no', ${each}, 'window_count', 1, 'checkpointed_window_count', 1,
       'checkpointed_to_seq_no', ${each}))).* FROM streams s, generate_series(0, ${streams - 1}) n WHERE s.stream_id = '${first}';
     CREATE TABLE bench_streams AS SELECT n AS place, s.stream_id, s.tenant_id, s.system_id
       FROM generate_series(0, ${streams - 1}) n JOIN streams s ON s.stream_id = 'str_' || ${id};
     INSERT INTO events (stream_event_id, tenant_id, stream_id, seq_no, source_ref, event_type, occurred_at, occurred_at_utc, received_at, payload,
       payload_salt, payload_hash, previous_event_hash, event_hash, stream_head_hash, receipt_kid, receipt_signature, actor_kind, actor_id)
     SELECT 'sev_' || ${id}, b.tenant_id, b.stream_id, ${seqNo}, 'loan-' || n, 'loan.decided', ${time}, ${time}, ${time},
       CASE WHEN ${seqNo} > ${archived} THEN '{"note":"' || repeat(md5(random()::text), 13) || '"}' END, md5(n::text), ${hash}, ${hash}, ${hash}, ${hash}, 'ed25519-0123456789abcdef',
       repeat(md5(random()::text), 4), 'system', b.system_id FROM ${numbers};
     INSERT INTO idempotency_records (scope_hash, tenant_id, route, request_mac, stream_id, from_seq_no, to_seq_no, created_at)
     SELECT left(md5(n::text || 'scope'), 22), b.tenant_id, 'POST /v2/streams/{id}/events', ${hash}, b.stream_id, ${seqNo}, ${seqNo},
       to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') FROM ${numbers};
     INSERT INTO windows (window_id, tenant_id, stream_id, window_no, from_seq_no, to_seq_no, window_hash, document)
     SELECT 'win_' || ${id}, b.tenant_id, b.stream_id, 1, 1, ${each}, ${hash}, ${document} ${ofStreams};
     INSERT INTO checkpoints (checkpoint_id, tenant_id, stream_id, checkpoint_no, window_count, to_seq_no, checkpoint_hash, witness_policy_digest,
       frontier_before, document)
     SELECT 'chk_' || ${id}, b.tenant_id, b.stream_id, 1, 1, ${each}, ${hash}, (SELECT MAX(digest) FROM witness_policies), '[]', ${document} ${ofStreams};
     INSERT INTO witness_statements (tenant_id, stream_id, checkpoint_id, witness_id, key_epoch, window_count, document)
     SELECT b.tenant_id, b.stream_id, 'chk_' || ${id}, 'svc-managed', 1, 1, ${document} ${ofStreams};
     INSERT INTO outbox (outbox_id, tenant_id, kind, subject, payload, created_at, attempts, next_attempt_at, done_at, stream_id)
     SELECT 'obx_' || ${id}, b.tenant_id, 'witness.cosign', 'chk_' || ${id}, '{}', ${time}, 1, ${time}, ${time}, b.stream_id ${ofStreams};
     INSERT INTO archives (stream_id, from_seq_no, to_seq_no, file, sha256, size_bytes, freed_to_seq_no, erased_since, archived_at, places)
     SELECT b.stream_id, 1, ${archived}, b.stream_id || '.zip', ${hash}, 1000, ${archived}, 0, ${time}, repeat('00000000000000', ${archived}) ${ofStreams};
     UPDATE streams s SET head_event_hash = e.event_hash FROM events e, bench_streams b
       WHERE b.stream_id = s.stream_id AND e.stream_id = s.stream_id AND e.seq_no = ${each};
     DROP TABLE bench_streams`,
    database,
  );
  // As autovacuum does in time.
  await postgres.run("VACUUM (ANALYZE)", database);
  await postgres.run("CHECKPOINT", database);
}
