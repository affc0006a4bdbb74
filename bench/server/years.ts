/**
 * A database with years of rows, of `bench server`: its append rate, start and memory, beside one on an empty database.
 * Its rows have the size of real ones, and meaningless hashes: to issue ten million receipts would take an hour.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { syncPath } from "@svc/host/durable-file";
import { type Row, row } from "../measure.ts";
import type { Served } from "./load.ts";
import { loaded, makeOurs, type OurFolder, type OurServer, startOurs } from "./programs.ts";
import { CLIENTS, pathOf, rate, type ServerBench, wanted } from "./server-bench.ts";

const PORTION = 100_000;
/** Each with as many events: a deployment of some years has more than one. */
const STREAMS = 100;

export async function years(bench: ServerBench): Promise<Row[]> {
  const { folder, quick, rounds, seconds } = bench;
  const count = quick ? 20_000 : 10_000_000;
  const full = await makeOurs(join(folder, "full"));
  const filling = await startOurs(full);
  const streams = await filling.streams(STREAMS);
  await filling.close();
  fill(full, streams, count);

  const empty = await startOurs(await makeOurs(join(folder, "empty")));
  const ours = await startOurs(full);
  try {
    const [own, other]: [Served[], Served[]] = [[], []];
    const [[ownStream = ""], [otherStream = ""]] = [await ours.streams(1), await empty.streams(1)];
    for (let round = 0; round < rounds; round++) {
      other.push(await append(empty, otherStream, seconds));
      own.push(await append(ours, ownStream, seconds));
    }
    const what = `${count} events in the database`;
    return [
      row(`${what}, single appends`, "receipts/s", rate(own), rate(other), "empty", wanted(bench, { at_least: 0.9 })),
      row(`${what}, start`, "ms", ours.startMs, 2000, "limit", wanted(bench, { at_most: 1 })),
      row(`${what}, peak memory`, "MiB", ours.peakMib(), 300e6 / 2 ** 20, "limit", wanted(bench, { at_most: 1 })),
    ];
  } finally {
    await Promise.all([ours.close(), empty.close()]);
  }
}

function append(server: OurServer, stream: string, seconds: number): Promise<Served> {
  const paths = [pathOf(stream)];
  return loaded({ port: server.port, paths, apiKey: server.apiKey, clients: CLIENTS, seconds, batch: 0, file: null });
}

/**
 * Fills the streams of a folder evenly, each to its own head, with a window over all, and with the records of as many
 * requests.
 */
function fill({ path, tenantId, systemId }: OurFolder, streams: readonly string[], count: number): void {
  const database = new DatabaseSync(join(path, "svc.db"));
  database.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -500000");
  const hash = "lower(hex(randomblob(32)))";
  const time = "strftime('%Y-%m-%dT%H:%M:%fZ', 1700000000 + n * 6, 'unixepoch')";
  // It rises with time, as the server's ids do.
  const id = "printf('%011dabcdefghjkmnpqr', n)";
  const numbers = "WITH RECURSIVE numbers (n) AS (SELECT $from UNION ALL SELECT n + 1 FROM numbers WHERE n < $to)";
  database.exec(`CREATE TEMP TABLE places (place INTEGER PRIMARY KEY, stream_id TEXT NOT NULL)`);
  const place = database.prepare("INSERT INTO places VALUES (?, ?)");
  for (const [index, stream] of streams.entries()) place.run(index, stream);
  const inStream = `FROM numbers JOIN places ON place = n % ${streams.length}`;
  const seqNo = `n / ${streams.length} + 1`;
  const events = database.prepare(`${numbers}
    INSERT INTO events (stream_event_id, tenant_id, stream_id, seq_no, source_ref, event_type, occurred_at, occurred_at_utc, received_at, payload,
      payload_salt, payload_hash, previous_event_hash, event_hash, stream_head_hash, receipt_kid, receipt_signature, actor_kind, actor_id)
    SELECT 'sev_' || ${id}, $tenant, stream_id, ${seqNo}, 'loan-' || n, 'loan.decided', ${time}, ${time}, ${time},
      '{"note":"' || hex(randomblob(219)) || '"}', lower(hex(randomblob(16))), ${hash}, ${hash}, ${hash}, ${hash}, 'ed25519-0123456789abcdef',
      lower(hex(randomblob(64))), 'system', $system ${inStream}`);
  const requests = database.prepare(`${numbers}
    INSERT INTO idempotency_records (scope_hash, tenant_id, route, request_mac, stream_id, from_seq_no, to_seq_no, created_at)
    SELECT substr(hex(randomblob(11)), 1, 22), $tenant, 'POST /v2/streams/{id}/events', ${hash}, stream_id, ${seqNo}, ${seqNo},
      strftime('%Y-%m-%dT%H:%M:%fZ', 'now') ${inStream}`);
  for (let from = 0; from < count; from += PORTION) {
    const to = Math.min(from + PORTION, count) - 1;
    database.exec("BEGIN");
    events.run({ $from: from, $to: to, $tenant: tenantId, $system: systemId });
    requests.run({ $from: from, $to: to, $tenant: tenantId });
    database.exec("COMMIT");
  }
  const head = "(SELECT event_hash FROM events e WHERE e.stream_id = streams.stream_id ORDER BY seq_no DESC LIMIT 1)";
  const toSeqNo = count / streams.length;
  database
    .prepare(`UPDATE streams SET head_seq_no = $to, head_event_hash = ${head}, last_received_at = created_at, windowed_to_seq_no = $to, window_count = 1,
      checkpointed_window_count = 1, checkpointed_to_seq_no = $to WHERE stream_id IN (SELECT stream_id FROM places)`)
    .run({ $to: toSeqNo });
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  // Nothing has waited for the disk: the next start would, for all of it.
  syncPath(join(path, "svc.db"));
}
