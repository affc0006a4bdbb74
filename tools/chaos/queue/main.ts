/**
 * `pnpm chaos:queue [--rounds N] [--seed S] [--json]`: an append queue on a file spool against the real server, with a proxy between them that
 * drops, delays, repeats and reorders, while the program that queues and the server are killed. Ends with 1 where something is lost, stands
 * twice or out of order, and keeps the folder; with 64 for a wrong call.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Program } from "../program.ts";
import { readCall } from "../read-call.ts";
import { Seeded } from "../seeded.ts";
import { must, Violation } from "../violation.ts";
import { buildQueueing, type Ends, Trial } from "./trial.ts";
import { UnreliableProxy } from "./unreliable-proxy.ts";

const USAGE = "usage: pnpm chaos:queue [--rounds <number, default 100>] [--seed <number>] [--json]";
/** By turns: starting a server takes longest. */
const ENDS: readonly Ends[] = [
  "program",
  "program",
  "program",
  "nothing",
  "program",
  "server",
  "program",
  "program",
  "both",
  "program",
];
const MISHAP_PERCENT = 40;

process.exitCode = await main();

async function main(): Promise<number> {
  const call = readCall(100);
  if (call === null) {
    console.error(USAGE);
    return 64;
  }
  const { rounds, seed, json } = call;
  const folder = mkdtempSync(join(tmpdir(), "svc-chaos-queue-"));
  const program = await Program.build(folder);
  const ends: Record<string, number> = {};
  try {
    const summary = { rounds, seed, ends, ...(await allRounds(program, folder, { rounds, seed }, ends)) };
    console.log(json ? JSON.stringify(summary) : inWords(summary));
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    console.error(`chaos: ${error.message}\nseed ${seed}, after ${JSON.stringify(ends)}; see ${folder}`);
    return 1;
  } finally {
    program.end();
  }
  rmSync(folder, { recursive: true });
  return 0;
}

async function allRounds(
  program: Program,
  folder: string,
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
  ends: Record<string, number>,
) {
  const random = new Seeded(seed);
  const dataFolder = join(folder, "data");
  await buildQueueing(folder);
  const made = await program.run(["init", "--origin", "chaos.example/queue", "--data", dataFolder, "--json"]);
  must(made.code === 0, `no deployment can be made: ${made.err}`);
  const { api_key: apiKey, stream_id: streamId } = JSON.parse(made.out);
  const running = await program.mustStart(dataFolder);
  const proxy = await UnreliableProxy.start(random);
  proxy.percent = MISHAP_PERCENT;
  const trial = new Trial({ program, random, proxy, dataFolder, apiKey, streamId, folder }, running);
  try {
    for (let round = 0; round < rounds; round++) {
      const kind = ENDS[round % ENDS.length] ?? "program";
      if (process.stderr.isTTY) process.stderr.write(`\rround ${round + 1}: ${kind}\u001b[K`);
      await trial.round(kind);
      ends[kind] = (ends[kind] ?? 0) + 1;
    }
    await trial.finish();
    const { spooled, receiptsToldAgain } = trial;
    return { events: spooled, receiptsToldAgain, mishaps: Object.fromEntries(proxy.counts) };
  } finally {
    trial.end();
    await proxy.close();
  }
}

function inWords({
  rounds,
  seed,
  events,
  mishaps,
}: {
  readonly rounds: number;
  readonly seed: number;
  readonly events: number;
  readonly mishaps: Readonly<Record<string, number>>;
}): string {
  const lines = Object.entries(mishaps).map(([name, count]) => `${String(count).padStart(6)}  ${name}`);
  return `${lines.join("\n")}

Nothing was lost, nothing stands twice, and the order was kept: ${rounds} rounds (seed ${seed}), ${events} events.`;
}
