/**
 * A thousand anchored epochs a day for a year: the start of a server, the state of a stream and a pack, beside a server
 * with ten. The rows of the year have the size of real ones, and are behind those of the stream.
 */
import { execFile } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { syncPath } from "@svc/host/durable-file";
import { anchored, contractOnChain, environmentFor, streamUnder } from "@svc/testkit/server/anchored";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { expectAnswer, median, type Row, row } from "../measure.ts";
import { makeOurs, type OurFolder, type OurServer, startOurs } from "../server/programs.ts";
import type { AnchorBench } from "./bench.ts";

const EPOCHS_A_DAY = 1000;
const PORTION = 50_000;
const ANCHORED = 10;
const REQUESTS = 200;
const TARGET = { at_most: 1.2 } as const;

/** A server, the stream that it has anchored, and what it took. */
interface Side {
  readonly folder: OurFolder;
  readonly streamId: string;
  readonly startMs: number[];
  readonly stateMs: number[];
  readonly packMs: number[];
}

export async function year({ quick, rounds, folder, lifetime }: AnchorBench): Promise<Row[]> {
  const on = await contractOnChain(lifetime);
  const settings = { ...environmentFor(on), SVC_ANCHOR_CONFIRMATIONS: "1" };
  const few = await makeSide(join(folder, "few"), on, settings);
  // The same evidence, so that both do the same work.
  const full = { ...makeCopy(few, join(folder, "full")), startMs: [], stateMs: [], packMs: [] };
  const count = EPOCHS_A_DAY * (quick ? 10 : 365);
  fill(full.folder, count);
  const sides = [few, full];
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) await lap(side, settings, round);
  const what = `${count} anchored epochs`;
  const compared = (work: string, of: (side: Side) => readonly number[]) =>
    row(`${what}: ${work}`, "ms", median([...of(full)]), median([...of(few)]), `${ANCHORED} epochs`, TARGET);
  return [
    compared("start", ({ startMs }) => startMs),
    compared("proof-state", ({ stateMs }) => stateMs),
    compared("audit pack", ({ packMs }) => packMs),
  ];
}

/** Makes a server with ten anchored epochs. */
async function makeSide(
  path: string,
  { chain }: Awaited<ReturnType<typeof contractOnChain>>,
  settings: NodeJS.ProcessEnv,
): Promise<Side> {
  const folder = await makeOurs(path);
  const policy = `${path}.policy.json`;
  writeFileSync(policy, JSON.stringify({ policy_id: "anchored", anchor: "required" }));
  const declare = [folder.program, "policies", "declare", "--file", policy, "--data", path];
  await promisify(execFile)(process.execPath, declare);
  const server = await startOurs(folder, settings);
  const client = clientOf(server);
  const streamId = await streamUnder(client, folder.systemId, "anchored");
  for (let event = 1; event <= ANCHORED; event++) {
    await client.append(streamId, loan(event));
    await client.witnessed(streamId, event);
    await anchored(client, chain, streamId);
  }
  await server.close();
  return { folder, streamId, startMs: [], stateMs: [], packMs: [] };
}

function makeCopy({ folder, streamId }: Side, path: string): Pick<Side, "folder" | "streamId"> {
  cpSync(folder.path, path, { recursive: true });
  return { folder: { ...folder, path }, streamId };
}

async function lap(side: Side, settings: NodeJS.ProcessEnv, round: number): Promise<void> {
  const server = await startOurs(side.folder, settings);
  try {
    const client = clientOf(server);
    side.startMs.push(server.startMs);
    const state = await each(REQUESTS, () => client.get(`/v2/streams/${side.streamId}/proof-state`));
    side.stateMs.push(state.ms);
    expectAnswer("the stream is anchored to", state.last.body.anchored_to_seq_no, ANCHORED);
    const request = { stream_id: side.streamId, from_seq_no: 1, to_seq_no: ANCHORED };
    let number = 0;
    const pack = await each(REQUESTS / 4, () =>
      client.post("/v2/audit/packs", request, { "Idempotency-Key": `bench-${round}-${number++}` }),
    );
    side.packMs.push(pack.ms);
    expectAnswer("the pack", pack.last.status, 201);
  } finally {
    await server.close();
  }
}

async function each<Answer>(count: number, ask: () => Promise<Answer>) {
  let last = await ask();
  const start = performance.now();
  for (let number = 0; number < count; number++) last = await ask();
  return { ms: (performance.now() - start) / count, last };
}

function clientOf({ port, apiKey }: OurServer): Client {
  return new Client(`http://127.0.0.1:${port}`, apiKey);
}

/** Adds epochs behind the last one, each with one more leaf, its evidence and its anchoring. */
function fill({ path }: OurFolder, count: number): void {
  const database = new DatabaseSync(join(path, "svc.db"));
  database.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -500000");
  const numbers = "WITH RECURSIVE numbers (n) AS (SELECT $from UNION ALL SELECT n + 1 FROM numbers WHERE n < $to)";
  const hash = "lower(hex(randomblob(32)))";
  const id = "printf('%026d', n)";
  const { epoch, size } = database
    .prepare("SELECT MAX(epoch_no) AS epoch, MAX(log_size) AS size FROM epochs")
    .get() as { epoch: number; size: number };
  const sealed = (table: string) =>
    `json_set((SELECT document FROM ${table} WHERE epoch_no = ${epoch}), '$.epoch_no', ${epoch} + n, '$.log_size', ${size} + n,
       '$.epoch_root', ${hash}, '$.anchor_epoch_id', 'anc_' || ${id})`;
  const statements = [
    `INSERT INTO service_log_leaves (leaf_index, checkpoint_id, checkpoint_hash, nodes, latest_created_at)
     SELECT ${size} + n - 1, 'chk_' || ${id}, ${hash}, ${hash}, (SELECT latest_created_at FROM service_log_leaves WHERE leaf_index = 0) FROM numbers`,
    `INSERT INTO epochs (epoch_no, anchor_epoch_id, log_size, anchored_at, note, document)
     SELECT ${epoch} + n, 'anc_' || ${id}, ${size} + n, e.anchored_at, e.note, ${sealed("epochs")}
     FROM numbers, epochs e WHERE e.epoch_no = ${epoch}`,
    `INSERT INTO anchorings (epoch_no, log_size, state, network, contract, sender, nonce, tx_hash, block_number, block_hash,
       cost_gwei, spent_gwei, begun_at, problem)
     SELECT ${epoch} + n, ${size} + n, 'confirmed', a.network, a.contract, a.sender, a.nonce + n, '0x' || ${hash}, a.block_number,
       a.block_hash, a.cost_gwei, 0, '2026-01-01T00:00:00.000Z', NULL
     FROM numbers, anchorings a WHERE a.epoch_no = ${epoch}`,
    `INSERT INTO mined_epochs (epoch_no, log_size, network, block_number, block_hash, anchored_at, note, evidence, document)
     SELECT ${epoch} + n, ${size} + n, m.network, m.block_number, m.block_hash, m.anchored_at, m.note, m.evidence, ${sealed("mined_epochs")}
     FROM numbers, mined_epochs m WHERE m.epoch_no = ${epoch}`,
  ].map((sql) => database.prepare(`${numbers} ${sql}`));
  for (let from = 1; from <= count; from += PORTION) {
    const to = Math.min(from + PORTION - 1, count);
    database.exec("BEGIN");
    for (const statement of statements) statement.run({ $from: from, $to: to });
    database.exec("COMMIT");
  }
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  // Nothing has waited for the disk: the next start would, for all of it.
  syncPath(join(path, "svc.db"));
}
