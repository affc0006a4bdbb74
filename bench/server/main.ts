/**
 * `pnpm bench server`: the server and its load as separate processes on one machine, in turns with Express that only
 * answers, with a log that answers indexes, and with a file that is only synchronised.
 */
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Groups, inFolder, measureGroups } from "../groups.ts";
import { median, type Row, row } from "../measure.ts";
import type { Served } from "./load.ts";
import { packs } from "./packs.ts";
import { loaded, makeOurs, startBare, startOurs } from "./programs.ts";
import { CLIENTS, pathOf, rate, type ServerBench, wanted } from "./server-bench.ts";
import { singles } from "./singles.ts";
import { stalls } from "./stalls.ts";
import { witnesses } from "./witnesses.ts";
import { years } from "./years.ts";

/** The groups, by names under which each can be measured alone. */
export const GROUPS: Groups<ServerBench> = {
  singles,
  latency,
  batches,
  streams,
  packs,
  stalls,
  years,
  witnesses,
};

const BATCH = 1000;
const BATCH_CLIENTS = 4;
const STREAMS = 1000;
const SYNCS = 200;

/** Measures some groups; all if none is named. Throws WrongAnswer. */
export async function benchServer({ quick, groups }: { quick: boolean; groups: readonly string[] }) {
  const rounds = quick ? 1 : 3;
  const rows = await inFolder(async (folder, lifetime) => {
    const bare = await startBare();
    lifetime.after(() => bare.close());
    const ours = await startOurs(await makeOurs(join(folder, "data")));
    lifetime.after(() => ours.close());
    const seconds = quick ? 1 : 20;
    const measured = await measureGroups(GROUPS, groups, { rounds, quick, seconds, folder, ours, bare });
    return [...measured, row("peak memory of the server", "MiB", ours.peakMib(), 1, "MiB", null)];
  });
  return { rounds, rows };
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
  const limit = 2 * median(syncs) + 0.8;
  return [
    row(
      "single appends, 1 client, p50",
      "ms",
      median(own),
      limit,
      "2 fdatasync + 0.8 ms",
      wanted(bench, { at_most: 1 }),
    ),
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
  return [row(what, "receipts/s", median(own), 14_000, "limit", wanted(bench, { at_least: 1 }))];
}

/** The same load on one stream and on many. The sealing that many leave behind is done before one has its turn. */
async function streams(bench: ServerBench): Promise<Row[]> {
  const { ours, rounds, seconds } = bench;
  const many = (await ours.streams(bench.quick ? 20 : STREAMS)).map(pathOf);
  const one = (await ours.streams(1)).map(pathOf);
  const [own, other]: [Served[], Served[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const load = { port: ours.port, apiKey: ours.apiKey, clients: CLIENTS, seconds, batch: 0, file: null };
    await ours.settled();
    other.push(await loaded({ ...load, paths: one }));
    own.push(await loaded({ ...load, paths: many }));
  }
  const what = `single appends to ${many.length} streams, ${CLIENTS} clients`;
  return [row(what, "receipts/s", rate(own), rate(other), "one stream", wanted(bench, { at_least: 0.9 }))];
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
