/**
 * `pnpm bench sdk`: an append queue on a file spool, in its own process, against batches that are only sent: `bench
 * server`'s load on the same server, in turns. And the memory of a program whose events wait.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Groups, inFolder, measureGroups } from "../groups.ts";
import { expectAnswer, median, type Row, row, type Target } from "../measure.ts";
import { makeOurs, type OurServer, startOurs } from "../server/programs.ts";
import type { Queued, Queueing } from "./queue-program.ts";
import { BATCH, eventsIn, RAW_RATE, rawRate } from "./raw-rate.ts";

/** The groups, by names under which each can be measured alone. */
export const GROUPS: Groups<SdkBench> = { queue, memory };

interface SdkBench {
  readonly quick: boolean;
  readonly rounds: number;
  /** The folder for data and spools; it is deleted afterwards. */
  readonly folder: string;
}

const SPOOL_BYTES = 16 * 2 ** 20;
const PROGRAM = fileURLToPath(new URL("queue-program.ts", import.meta.url));

/** Measures some groups; all if none is named. Throws WrongAnswer. */
export async function benchSdk({ quick, groups }: { quick: boolean; groups: readonly string[] }) {
  const rounds = quick ? 1 : 5;
  const rows = await inFolder((folder) => measureGroups(GROUPS, groups, { quick, rounds, folder }));
  return { rounds, rows };
}

/** Events through the queue, receipts included, against batches whose answers are only counted. */
async function queue(bench: SdkBench): Promise<Row[]> {
  const ours = await startOurs(await makeOurs(join(bench.folder, "data")));
  const [own, raw]: [number[], number[]] = [[], []];
  try {
    const seconds = bench.quick ? 1 : 20;
    for (let round = 0; round < bench.rounds; round++) {
      const [queued = "", sent = ""] = await ours.streams(2);
      const turns = [
        async () => own.push(await queueRate(bench, ours, queued, seconds)),
        async () => raw.push(await rawRate(ours, sent, seconds)),
      ];
      for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn();
    }
  } finally {
    await ours.close();
  }
  const what = "append queue, file spool, until the last receipt";
  const target = bench.quick ? null : { at_least: 0.8 };
  return [row(what, "receipts/s", median(own), median(raw), RAW_RATE, target)];
}

async function queueRate(bench: SdkBench, ours: OurServer, streamId: string, seconds: number): Promise<number> {
  const {
    events,
    receipts,
    seconds: took,
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
  expectAnswer("events in the stream", await eventsIn(ours, streamId), events);
  return events / took;
}

/**
 * A program whose events find no service: they wait, and it must hold no more than a program with few waiting events.
 * The peak of its process also depends on the runtime, which collects garbage late on a machine with much memory.
 */
async function memory(bench: SdkBench): Promise<Row[]> {
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
  const [held = [], peak = []] = [all.map(({ heldMib }) => heldMib), all.map(({ peakMib }) => peakMib)];
  const [what, other] = [
    `${many.toLocaleString("en-US")} events waiting in files`,
    `${few.toLocaleString("en-US")} events`,
  ];
  const figure = (name: string, [ofFew = Number.NaN, ofMany = Number.NaN]: readonly number[], wanted: Target | null) =>
    row(`${what}, ${name}`, "MiB", ofMany, ofFew, other, wanted);
  return [figure("memory held", held, target), figure("peak memory of the process", peak, null)];
}

async function queueing(bench: SdkBench, given: Omit<Queueing, "folder">): Promise<Queued> {
  const folder = mkdtempSync(join(bench.folder, "spool-"));
  try {
    const words = [PROGRAM, JSON.stringify({ ...given, folder } satisfies Queueing)];
    const cwd = fileURLToPath(new URL("../..", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd });
    return JSON.parse(stdout) as Queued;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
