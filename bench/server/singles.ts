/**
 * Single appends of many clients to one stream, of `bench server`: beside Express that only answers, and beside a
 * Tessera log, which answers indexes, under the same load in the same turns. Every receipt is verified afterwards.
 */
import { createReadStream, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { PublicKeyHex } from "../../packages/core/src/index.ts";
import { pinKeys, referenceKernel, selectKernel, verifyAll } from "../../packages/core/src/index.ts";
import { expectAnswer, median, type Row, row, WrongAnswer } from "../measure.ts";
import type { Load, Served } from "./load.ts";
import { loaded, type Yardstick } from "./programs.ts";
import { CLIENTS, pathOf, rate, type ServerBench, wanted } from "./server-bench.ts";
import { startTessera } from "./tessera.ts";

/** The same for each contender. */
type SameLoad = Pick<Load, "clients" | "seconds" | "batch">;

export async function singles(bench: ServerBench): Promise<Row[]> {
  const { ours, bare, folder, rounds, seconds } = bench;
  const [stream = ""] = await ours.streams(1);
  const tessera = await startTessera(folder);
  const [own, express, log, syncs]: [Served[], Served[], Served[], number[]] = [[], [], [], []];
  const load: SameLoad = { clients: CLIENTS, seconds, batch: 0 };
  const turns = [
    async () => {
      const { port, pid } = bare;
      express.push(await loaded({ ...load, port, pid, paths: ["/append"], apiKey: "", file: null }));
    },
    async () => {
      const { port, pid, apiKey, publicKeyHex } = ours;
      const file = join(folder, "receipts.jsonl");
      const before = await ours.commits();
      const served = await loaded({ ...load, port, pid, paths: [pathOf(stream)], apiKey, file });
      syncs.push(((await ours.commits()) - before) / served.requests);
      own.push(served);
      await verifyReceipts(file, served.requests, publicKeyHex);
      rmSync(file);
    },
    async () => {
      if (typeof tessera !== "string") log.push(await added(load, tessera, folder));
    },
  ];
  try {
    for (let round = 0; round < rounds; round++)
      for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
  } finally {
    if (typeof tessera !== "string") await tessera.close();
  }
  const what = `single appends, ${CLIENTS} clients`;
  const [logRate, logName] =
    typeof tessera === "string" ? [null, `Tessera, not measured: ${tessera}`] : [rate(log), "indexes of Tessera"];
  const foreign = [...own, ...express, ...log].map(({ processor }) => processor?.foreign ?? Number.NaN);
  return [
    row(what, "receipts/s", rate(own), rate(express), "bare-express.mjs", wanted(bench, { at_least: 0.3 })),
    row(what, "receipts/s", rate(own), logRate, logName, wanted(bench, { at_least: 1 })),
    row(`${what}, p99`, "ms", median(own.map(({ p99_ms }) => p99_ms)), 35, "limit", wanted(bench, { at_most: 1 })),
    row(`${what}, for each receipt`, "syncs", median(syncs), 0.05, "limit", wanted(bench, { at_most: 1 })),
    row(
      `${what}, processor time, load included`,
      "µs",
      processorUs(own),
      processorUs(express),
      "bare-express.mjs",
      wanted(bench, { at_most: 3.2 }),
    ),
    row(`${what}, busy with other things`, "processors", median(foreign), 0.1, "a quiet machine", null),
  ];
}

/** Loads a Tessera log, and checks that no index was answered twice. */
async function added(load: SameLoad, { port, pid }: Yardstick, folder: string): Promise<Served> {
  const file = join(folder, "indexes");
  const served = await loaded({ ...load, port, pid, paths: ["/add"], apiKey: "", file });
  const indexes = new Set<string>();
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (!/^\d+$/.test(line)) throw new WrongAnswer(`Tessera answers ${line}, which is no index`);
    indexes.add(line);
  }
  expectAnswer("different indexes of Tessera", indexes.size, served.requests);
  rmSync(file);
  return served;
}

/** Asserts that a file holds so many receipts, all of which verify under a key, and no number twice. */
async function verifyReceipts(file: string, count: number, publicKeyHex: string): Promise<void> {
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

/** Returns the median of the processor time for an answer, the load generator's included, in microseconds. */
function processorUs(served: readonly Served[]): number {
  return median(served.map(({ requests, processor }) => ((processor?.ms ?? Number.NaN) * 1000) / requests));
}
