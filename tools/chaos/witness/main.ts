/**
 * `pnpm chaos:witness [--rounds N] [--seed S] [--json]`: a witness is killed N times with SIGKILL, at every step from
 * the check of a checkpoint to its answer and at any moment, while its log signs two histories. Exits with 1 if it ever
 * signs two trees of one size, or forgets what it has answered, and keeps the folder; with 64 for a wrong call.
 */
import type { Call } from "../read-call.ts";
import { Seeded } from "../seeded.ts";
import { runTrials, showProgress } from "../trials.ts";
import { Killing, Processes, STEPS } from "./trial.ts";

process.exitCode = await runTrials({
  name: "witness",
  roundsAre: "number of kills",
  defaultRounds: 1000,
  build: async () => new Processes(),
  run,
  inWords,
});

async function run(processes: Processes, folder: string, { rounds, seed }: Call, kills: Record<string, number>) {
  const trial = await Killing.make(processes, new Seeded(seed), folder);
  for (let round = 0; round < rounds; round++) {
    const step = STEPS[round % STEPS.length] ?? null;
    const name = step?.failpoint ?? "moment";
    showProgress(`kill ${round + 1}: ${name}`);
    await trial.round(step);
    kills[name] = (kills[name] ?? 0) + 1;
  }
  return { rounds, seed, kills, ...trial.counts };
}

function inWords({ rounds, seed, sizes, cosignatures }: Awaited<ReturnType<typeof run>>): string {
  return (
    `Over ${rounds} kills (seed ${seed}) the witness made ${cosignatures} cosignatures of ${sizes} sizes: each ` +
    `size has one root.`
  );
}
