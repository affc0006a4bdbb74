/**
 * `pnpm chaos:pause [--rounds N] [--seconds S] [--seed S] [--json]`: a server under load is stopped with SIGSTOP for S
 * seconds, in the middle of a commit, under each lease and at any moment, while commands run beside it and clients send
 * again; then it continues. Exits with 1 if something is lost, doubled, contradicted or stuck, and keeps the folder;
 * with 64 for a wrong call.
 */
import { join } from "node:path";
import type { Program } from "../program.ts";
import type { Call } from "../read-call.ts";
import { Seeded } from "../seeded.ts";
import { runTrials, showProgress } from "../trials.ts";
import { Pausing } from "./trial.ts";

/**
 * The failpoints to stop at, in turn; null: at any moment. In the middle of a commit the database is held, and under a
 * lease others may take it over.
 */
const FAILPOINTS: readonly (string | null)[] = [
  null,
  "append: signed",
  "commit: due",
  "commit: done",
  "window: sealed",
  "checkpoint: sealed",
];

process.exitCode = await runTrials({ name: "pause", defaultRounds: 8, numbers: { seconds: 60 }, run, inWords });

async function run(
  program: Program,
  folder: string,
  { rounds, seconds, seed }: Call<"seconds">,
  stops: Record<string, number>,
) {
  const trial = await Pausing.make(program, new Seeded(seed), join(folder, "data"));
  trial.allow(seconds * 1000);
  for (let round = 0; round < rounds; round++) {
    const failpoint = FAILPOINTS[round % FAILPOINTS.length] ?? null;
    const name = failpoint ?? "moment";
    showProgress(`round ${round + 1}: ${name}`);
    await trial.round(failpoint, seconds * 1000);
    stops[name] = (stops[name] ?? 0) + 1;
  }
  await trial.close();
  return { rounds, seconds, seed, stops, ...trial.counts };
}

function inWords(summary: {
  readonly rounds: number;
  readonly seconds: number;
  readonly seed: number;
  readonly receipts: number;
  readonly sentAgain: number;
  readonly commandsRefused: number;
  readonly bodies: Readonly<Record<string, number>>;
}): string {
  const { rounds, seconds, seed, receipts, sentAgain, commandsRefused, bodies } = summary;
  return `Nothing was lost, doubled or stuck over ${rounds} pauses of ${seconds} s (seed ${seed}): ${receipts} receipts, ${sentAgain} requests sent again,
${commandsRefused} commands refused while the server held the database, bodies on their way were answered with ${JSON.stringify(bodies)}.`;
}
