/**
 * `pnpm chaos:queue [--rounds N] [--seed S] [--json]`: an append queue on a file spool against the real server, behind
 * a proxy that drops, delays, repeats and reorders, while the queueing program and the server are killed. Exits with 1
 * if something is lost, doubled or out of order, and keeps the folder; with 64 for a wrong call.
 */
import { join } from "node:path";
import type { Program } from "../program.ts";
import type { Call } from "../read-call.ts";
import { Seeded } from "../seeded.ts";
import { runTrials, showProgress } from "../trials.ts";
import { must } from "../violation.ts";
import { buildQueueing, type Ends, Trial } from "./trial.ts";
import { UnreliableProxy } from "./unreliable-proxy.ts";

/** In turn: starting a server takes longest. */
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

process.exitCode = await runTrials({ name: "queue", defaultRounds: 100, run, inWords });

async function run(program: Program, folder: string, { rounds, seed }: Call, ends: Record<string, number>) {
  const random = new Seeded(seed);
  const dataFolder = join(folder, "data");
  const queueing = [await buildQueueing(folder)];
  const made = await program.run(["init", "--origin", "chaos.example/queue", "--data", dataFolder, "--json"]);
  must(made.code === 0, `no deployment can be made: ${made.err}`);
  const { api_key: apiKey, stream_id: streamId } = JSON.parse(made.out);
  const running = await program.mustStart(dataFolder);
  const proxy = await UnreliableProxy.start(random);
  proxy.percent = MISHAP_PERCENT;
  const trial = new Trial({ program, random, proxy, dataFolder, apiKey, streamId, folder, queueing }, running);
  try {
    for (let round = 0; round < rounds; round++) {
      const kind = ENDS[round % ENDS.length] ?? "program";
      showProgress(`round ${round + 1}: ${kind}`);
      await trial.round(kind);
      ends[kind] = (ends[kind] ?? 0) + 1;
    }
    await trial.finish();
    const { spooled, receiptsToldAgain } = trial;
    return { rounds, seed, ends, events: spooled, receiptsToldAgain, mishaps: Object.fromEntries(proxy.counts) };
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

Nothing was lost, nothing appears twice, and the order was kept: ${rounds} rounds (seed ${seed}), ${events} events.`;
}
