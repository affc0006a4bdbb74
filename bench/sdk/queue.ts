/**
 * An append queue on a file spool, in its own process, against batches that are only sent: `bench server`'s load on the
 * same server, in turns. And the memory of a program whose events wait. The queueing program may be in any language.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expectAnswer, median, type Row, row, type Target } from "../measure.ts";
import { loaded, makeOurs, type OurServer, startOurs } from "../server/programs.ts";
import type { Queued, Queueing } from "./queue-program.ts";

/** The queue to measure. */
export interface QueueBench {
  readonly quick: boolean;
  readonly rounds: number;
  /** The folder for data and spools; it is deleted afterwards. */
  readonly folder: string;
  /** The command of the queueing program, which gets its task, a Queueing, as one more word, and prints a Queued. */
  readonly command: readonly string[];
  /** The least share of the raw rate. */
  readonly atLeast: number;
  /** The member of Queued that must not grow with the number of waiting events. */
  readonly flat: "heldMib" | "peakMib";
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BATCH = 1000;
const BATCH_CLIENTS = 4;
const SPOOL_BYTES = 16 * 2 ** 20;

/** Receipts a second, and microseconds of processor time a receipt. */
interface Rate {
  readonly perSecond: number;
  readonly processorUs: number;
}

/**
 * Measures events through the queue, receipts included, against batches whose answers are only counted. Processor time
 * says it too where the machine has other work: the program's against that of server and loader together.
 */
export async function queueRate(bench: QueueBench): Promise<Row[]> {
  const ours = await startOurs(await makeOurs(join(bench.folder, "data")));
  const [own, raw]: [Rate[], Rate[]] = [[], []];
  try {
    const seconds = bench.quick ? 1 : 20;
    for (let round = 0; round < bench.rounds; round++) {
      const [queued = "", sent = ""] = await ours.streams(2);
      const turns = [
        async () => own.push(await ownRate(bench, ours, queued, seconds)),
        async () => raw.push(await rawRate(ours, sent, seconds)),
      ];
      for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn();
    }
  } finally {
    await ours.close();
  }
  const what = "append queue, file spool, until the last receipt";
  const target = bench.quick ? null : { at_least: bench.atLeast };
  const batches = `batches of ${BATCH}, ${BATCH_CLIENTS} clients`;
  const of = (rates: readonly Rate[], member: keyof Rate) => median(rates.map((rate) => rate[member]));
  return [
    row(what, "receipts/s", of(own, "perSecond"), of(raw, "perSecond"), batches, target),
    row(
      "its program's processor time a receipt",
      "µs",
      of(own, "processorUs"),
      of(raw, "processorUs"),
      `server and load, ${batches}`,
      null,
    ),
  ];
}

async function ownRate(bench: QueueBench, ours: OurServer, streamId: string, seconds: number): Promise<Rate> {
  const {
    events,
    receipts,
    seconds: took,
    processorSeconds,
  } = await queueing(bench, {
    url: `http://127.0.0.1:${ours.port}`,
    apiKey: ours.apiKey,
    publicKeyHex: ours.publicKeyHex,
    streamId,
    together: BATCH,
    seconds,
    events: 0,
    maxBytes: SPOOL_BYTES,
  });
  expectAnswer("receipts of queued events", receipts, events);
  const head = await fetch(`http://127.0.0.1:${ours.port}/v2/streams/${streamId}/head`, {
    headers: { authorization: `Bearer ${ours.apiKey}` },
  });
  expectAnswer("events in the stream", ((await head.json()) as { seq_no: number }).seq_no, events);
  return { perSecond: events / took, processorUs: (processorSeconds * 1e6) / events };
}

async function rawRate(ours: OurServer, streamId: string, seconds: number): Promise<Rate> {
  const paths = [`/v2/streams/${streamId}/events/batch`];
  const load = {
    port: ours.port,
    pid: ours.pid,
    apiKey: ours.apiKey,
    clients: BATCH_CLIENTS,
    seconds,
    batch: BATCH,
    file: null,
  };
  const { requests, seconds: took, processor } = await loaded({ ...load, paths });
  const events = requests * BATCH;
  return { perSecond: events / took, processorUs: ((processor?.ms ?? Number.NaN) * 1000) / events };
}

/**
 * A program whose events find no service: they wait, and it must hold no more than a program with few waiting events.
 * The peak of its process also depends on the runtime, which collects garbage late on a machine with much memory.
 */
export async function queueMemory(bench: QueueBench): Promise<Row[]> {
  const [few, many] = bench.quick ? [10_000, 40_000] : [10_000, 1_000_000];
  const target: Target | null = bench.quick ? null : { at_most: 1.1 };
  const all: Queued[] = [];
  for (const events of [few, many]) {
    const queued = await queueing(bench, {
      // Nobody listens at that port: it refuses requests at once.
      url: "http://127.0.0.1:1",
      apiKey: "nobody",
      publicKeyHex: "00".repeat(32),
      streamId: "str_00000000000000000000000000",
      together: BATCH,
      seconds: null,
      events,
      maxBytes: null,
    });
    expectAnswer("events that wait", queued.waiting, events);
    all.push(queued);
  }
  const [ofFew, ofMany] = all;
  const [what, other] = [
    `${many.toLocaleString("en-US")} events waiting in files`,
    `${few.toLocaleString("en-US")} events`,
  ];
  const figure = (name: string, member: QueueBench["flat"]) => {
    const wanted = member === bench.flat ? target : null;
    return row(`${what}, ${name}`, "MiB", ofMany?.[member] ?? Number.NaN, ofFew?.[member] ?? Number.NaN, other, wanted);
  };
  return [figure("memory held", "heldMib"), figure("peak memory of the process", "peakMib")];
}

async function queueing(bench: QueueBench, given: Omit<Queueing, "folder">): Promise<Queued> {
  const folder = mkdtempSync(join(bench.folder, "spool-"));
  const [program = "", ...words] = bench.command;
  try {
    const task = JSON.stringify({ ...given, folder } satisfies Queueing);
    const { stdout } = await promisify(execFile)(program, [...words, task], { cwd: ROOT });
    return JSON.parse(stdout) as Queued;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
