/**
 * `pnpm bench server`: the server and its load as separate processes on one machine, in turns with Express that only
 * answers, and with a file that is only synchronised. Every returned receipt is verified afterwards.
 */
import { closeSync, createReadStream, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { PublicKeyHex } from "../../packages/core/src/index.ts";
import { pinKeys, referenceKernel, selectKernel, verifyAll } from "../../packages/core/src/index.ts";
import { median, type Row, row, WrongAnswer } from "../measure.ts";
import type { Served } from "./load.ts";
import { packs } from "./packs.ts";
import { loaded, makeOurs, type OurServer, startBare, startOurs } from "./programs.ts";
import { type ServerBench, wanted } from "./server-bench.ts";
import { stalls } from "./stalls.ts";
import { years } from "./years.ts";

/** The groups, by names under which each can be measured alone. */
export const GROUPS: Readonly<Record<string, (bench: ServerBench) => Promise<Row[]>>> = {
  singles,
  latency,
  batches,
  streams,
  packs,
  stalls,
  years,
};

const CLIENTS = 64;
const BATCH = 1000;
const BATCH_CLIENTS = 4;
const STREAMS = 1000;
const SYNCS = 200;

/** Measures some groups; all if none is named. Throws WrongAnswer. */
export async function benchServer({ quick, groups }: { quick: boolean; groups: readonly string[] }) {
  const folder = mkdtempSync(join(tmpdir(), "svc-bench-"));
  const rounds = quick ? 1 : 3;
  const rows: Row[] = [];
  const bare = await startBare();
  const ours = await startOurs(await makeOurs(join(folder, "data")));
  try {
    const bench = { rounds, quick, seconds: quick ? 1 : 20, folder, ours, bare };
    for (const [name, group] of Object.entries(GROUPS)) {
      if (groups.length > 0 && !groups.includes(name)) continue;
      if (process.stderr.isTTY) console.error(`measuring ${name} ...`);
      rows.push(...(await group(bench)));
    }
    rows.push(row("peak memory of the server", "MiB", ours.peakMib(), 1, "MiB", null));
  } finally {
    await Promise.all([ours.close(), bare.close()]);
    rmSync(folder, { recursive: true });
  }
  return { rounds, rows };
}

/** Single appends of many clients to one stream. */
async function singles(bench: ServerBench): Promise<Row[]> {
  const { ours, bare, folder, rounds, seconds } = bench;
  const [stream = ""] = await ours.streams(1);
  const [own, other, syncs]: [Served[], Served[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    const load = { clients: CLIENTS, seconds, batch: 0 };
    other.push(await loaded({ ...load, port: bare.port, paths: ["/append"], apiKey: "", file: null }));
    const file = join(folder, "receipts.jsonl");
    const before = await ours.commits();
    const served = await loaded({ ...load, port: ours.port, paths: [pathOf(stream)], apiKey: ours.apiKey, file });
    syncs.push(((await ours.commits()) - before) / served.requests);
    own.push(served);
    await verifyReceipts(file, served.requests, ours);
    rmSync(file);
  }
  const what = `single appends, ${CLIENTS} clients`;
  return [
    row(what, "receipts/s", rate(own), rate(other), "bare-express.mjs", wanted(bench, { at_least: 0.55 })),
    row(`${what}, p99`, "ms", median(own.map(({ p99_ms }) => p99_ms)), 60, "limit", wanted(bench, { at_most: 1 })),
    row(`${what}, for each receipt`, "syncs", median(syncs), 0.1, "limit", wanted(bench, { at_most: 1 })),
  ];
}

/** One client that waits for each answer. */
async function latency(bench: ServerBench): Promise<Row[]> {
  const { ours, rounds, seconds, folder } = bench;
  const [stream = ""] = await ours.streams(1);
  const [own, syncs]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    syncs.push(syncMs(join(folder, "synced")));
    const load = { clients: 1, seconds, batch: 0, file: null };
    own.push((await loaded({ ...load, port: ours.port, paths: [pathOf(stream)], apiKey: ours.apiKey })).p50_ms);
  }
  const limit = 2 * median(syncs) + 1;
  return [
    row("single appends, 1 client, p50", "ms", median(own), limit, "2 fdatasync + 1 ms", wanted(bench, { at_most: 1 })),
  ];
}

/** Batches of a thousand. */
async function batches(bench: ServerBench): Promise<Row[]> {
  const { ours, rounds, seconds } = bench;
  const [stream = ""] = await ours.streams(1);
  const own: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const load = { clients: BATCH_CLIENTS, seconds, batch: BATCH, file: null };
    const path = `${pathOf(stream)}/batch`;
    const { requests, seconds: took } = await loaded({ ...load, port: ours.port, paths: [path], apiKey: ours.apiKey });
    own.push((requests * BATCH) / took);
  }
  const what = `batches of ${BATCH}, ${BATCH_CLIENTS} clients`;
  return [row(what, "receipts/s", median(own), 12_000, "limit", wanted(bench, { at_least: 1 }))];
}

/** The same load on one stream and on many. */
async function streams(bench: ServerBench): Promise<Row[]> {
  const { ours, rounds, seconds } = bench;
  const many = (await ours.streams(bench.quick ? 20 : STREAMS)).map(pathOf);
  const one = (await ours.streams(1)).map(pathOf);
  const [own, other]: [Served[], Served[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const load = { port: ours.port, apiKey: ours.apiKey, clients: CLIENTS, seconds, batch: 0, file: null };
    other.push(await loaded({ ...load, paths: one }));
    own.push(await loaded({ ...load, paths: many }));
  }
  const what = `single appends to ${many.length} streams, ${CLIENTS} clients`;
  return [row(what, "receipts/s", rate(own), rate(other), "one stream", wanted(bench, { at_least: 0.8 }))];
}

/** Asserts that a file holds so many receipts, all of which verify under the server's key, and no number twice. */
async function verifyReceipts(file: string, count: number, { publicKeyHex }: OurServer): Promise<void> {
  const trust = pinKeys(referenceKernel, [publicKeyHex as PublicKeyHex]);
  const kernel = selectKernel("wasm");
  const numbers = new Set<number>();
  let portion: Uint8Array[] = [];
  const flush = () => {
    for (const report of verifyAll(
      portion.map((bytes) => ({ bytes })),
      { kernel, trust },
    )) {
      if (!report.ok) throw new WrongAnswer(`a receipt is ${report.verdict}: ${JSON.stringify(report.problems[0])}`);
      numbers.add(report.subject.from_seq_no ?? Number.NaN);
    }
    portion = [];
  };
  for await (const line of createInterface({ input: createReadStream(file) })) {
    portion.push(Buffer.from(line));
    if (portion.length === 1000) flush();
  }
  flush();
  if (numbers.size !== count) throw new WrongAnswer(`${count} answers have ${numbers.size} numbers`);
}

/** Returns how long it takes to append a kilobyte to a file and wait for the disk: the median, in milliseconds. */
function syncMs(path: string): number {
  const file = openSync(path, "a");
  const times: number[] = [];
  for (let number = 0; number < SYNCS; number++) {
    const start = performance.now();
    writeSync(file, new Uint8Array(1000));
    fdatasyncSync(file);
    times.push(performance.now() - start);
  }
  closeSync(file);
  return median(times);
}

function pathOf(streamId: string): string {
  return `/v2/streams/${streamId}/events`;
}

function rate(served: readonly Served[]): number {
  return median(served.map(({ requests, seconds }) => requests / seconds));
}
