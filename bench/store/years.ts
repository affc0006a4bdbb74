/**
 * A database on a server with years of rows, of `bench store`: its append rate, its start, and how long sealing and
 * `proof-state` take, beside an empty one. Its rows have the size of real ones, and meaningless hashes.
 */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { median, type Row, row } from "../measure.ts";
import { makeOurs, type OurServer, startOurs } from "../server/programs.ts";
import { CLIENTS, pathOf } from "../server/server-bench.ts";
import { eventsASecond, onPostgres, type StoreBench, wanted } from "./main.ts";

/** The time after which the policy `default` closes a window. */
const WINDOW_MS = 2000;
const BUSY_STREAMS = 100;
const POLL_MS = 10;

export async function years(bench: StoreBench): Promise<Row[]> {
  const [streams, events] = bench.quick ? [200, 20_000] : [100_000, 10_000_000];
  const url = await bench.postgres.newDatabase();
  const folder = await makeOurs(join(bench.folder, "years"), url);
  const filling = await startOurs(folder);
  const [first = ""] = await filling.streams(1);
  await filling.close();
  await fill(bench, new URL(url).pathname.slice(1), first, streams, events / streams);

  const empty = await onPostgres(bench, "years-empty");
  const full = await startOurs(folder);
  bench.after(() => full.close());
  const [fullPaths, emptyPaths] = [
    (await full.streams(BUSY_STREAMS)).map(pathOf),
    (await empty.streams(BUSY_STREAMS)).map(pathOf),
  ];
  const shape = { clients: CLIENTS, seconds: bench.seconds, batch: 0 };
  const [own, other]: [number[], number[]] = [[], []];
  const [sealed, states]: [number[], number[]] = [[], []];
  for (let round = 0; round < bench.rounds; round++) {
    other.push(await eventsASecond(empty, emptyPaths, shape));
    own.push(await eventsASecond(full, fullPaths, shape));
    const [stream = ""] = await full.streams(1);
    const times = await sealingOf(full, stream);
    sealed.push(times.sealedMs - WINDOW_MS);
    states.push(times.stateMs);
  }
  const what = `${events} events in ${streams} streams`;
  return [
    row(`${what}, single appends`, "receipts/s", median(own), median(other), "empty", wanted(bench, { at_least: 0.8 })),
    row(`${what}, start`, "ms", full.startMs, 3000, "limit", wanted(bench, { at_most: 1 })),
    row(`${what}, a window from due to witnessed`, "ms", median(sealed), 1000, "limit", wanted(bench, { at_most: 1 })),
    row(`${what}, proof-state`, "ms", median(states), 1000, "limit", wanted(bench, { at_most: 1 })),
  ];
}

/** Appends an event to a stream, and resolves to how long it took until its witness had it, and to the longest look. */
async function sealingOf({ port, apiKey }: OurServer, stream: string) {
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json", "idempotency-key": "one" };
  const at = `http://127.0.0.1:${port}/v2/streams/${stream}`;
  const body = JSON.stringify({
    source_ref: "one",
    event_type: "one",
    occurred_at: "2026-03-01T10:15:30Z",
    payload: {},
  });
  const appended = await fetch(`${at}/events`, { method: "POST", headers, body });
  if (appended.status !== 201) throw new Error(await appended.text());
  const start = performance.now();
  for (let stateMs = 0; ; ) {
    const asked = performance.now();
    const state = (await (await fetch(`${at}/proof-state`, { headers })).json()) as { witnessed_to_seq_no: number };
    stateMs = Math.max(stateMs, performance.now() - asked);
    if (state.witnessed_to_seq_no >= 1) return { sealedMs: performance.now() - start, stateMs };
    await pause(POLL_MS);
  }
}

/** Fills a database with streams like the first one, each with as many events and the records of their requests. */
async function fill(
  { postgres }: StoreBench,
  database: string,
  first: string,
  streams: number,
  each: number,
): Promise<void> {
  const hash = "md5(random()::text) || md5(random()::text)";
  const id = "lpad(n::text, 22, '0')";
  const seqNo = `(n / ${streams} + 1)`;
  const time = `to_char(timestamp '2024-01-01' + n * interval '6 seconds', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const numbers = `generate_series(0, ${streams * each - 1}) n JOIN bench_streams b ON b.place = n % ${streams}`;
  await postgres.run(
    `SET synchronous_commit = off;
     INSERT INTO streams SELECT (jsonb_populate_record(s, jsonb_build_object('stream_id', 'str_' || ${id}, 'head_seq_no', ${each},
       'head_event_hash', ${hash}, 'last_received_at', s.created_at, 'windowed_to_seq_no', ${each}, 'window_count', 1, 'checkpointed_window_count', 1,
       'checkpointed_to_seq_no', ${each}))).* FROM streams s, generate_series(0, ${streams - 1}) n WHERE s.stream_id = '${first}';
     CREATE TABLE bench_streams AS SELECT n AS place, s.stream_id, s.tenant_id, s.system_id
       FROM generate_series(0, ${streams - 1}) n JOIN streams s ON s.stream_id = 'str_' || ${id};
     INSERT INTO events (stream_event_id, tenant_id, stream_id, seq_no, source_ref, event_type, occurred_at, occurred_at_utc, received_at, payload,
       payload_salt, payload_hash, previous_event_hash, event_hash, stream_head_hash, receipt_kid, receipt_signature, actor_kind, actor_id)
     SELECT 'sev_' || ${id}, b.tenant_id, b.stream_id, ${seqNo}, 'loan-' || n, 'loan.decided', ${time}, ${time}, ${time},
       '{"note":"' || repeat(md5(random()::text), 13) || '"}', md5(n::text), ${hash}, ${hash}, ${hash}, ${hash}, 'ed25519-0123456789abcdef',
       repeat(md5(random()::text), 4), 'system', b.system_id FROM ${numbers};
     INSERT INTO idempotency_records (scope_hash, tenant_id, route, request_mac, stream_id, from_seq_no, to_seq_no, created_at)
     SELECT left(md5(n::text || 'scope'), 22), b.tenant_id, 'POST /v2/streams/{id}/events', ${hash}, b.stream_id, ${seqNo}, ${seqNo},
       to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') FROM ${numbers};
     UPDATE streams s SET head_event_hash = e.event_hash FROM events e, bench_streams b
       WHERE b.stream_id = s.stream_id AND e.stream_id = s.stream_id AND e.seq_no = ${each};
     DROP TABLE bench_streams`,
    database,
  );
  // As autovacuum does in time.
  await postgres.run("VACUUM (ANALYZE)", database);
  await postgres.run("CHECKPOINT", database);
}
