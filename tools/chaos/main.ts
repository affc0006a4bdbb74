/**
 * `pnpm chaos [--rounds N] [--one-in K] [--seed S] [--json]`: real servers under load, killed at every failpoint (or at
 * one in K, as the seed decides), at any moment and while they start; after each restart everything that was
 * acknowledged must be there, and nothing may contradict anything. Exits with 1 after a violation, and keeps the
 * folder; with 64 for a wrong call.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { COMMANDS } from "./commands.ts";
import { Deployment, type End } from "./deployment.ts";
import { failpointsOfServer } from "./failpoints.ts";
import type { Program } from "./program.ts";
import type { Call } from "./read-call.ts";
import { Seeded } from "./seeded.ts";
import { runTrials, showProgress } from "./trials.ts";

/** A new deployment after so many rounds: the checks grow with the records. */
const ROUNDS_OF_ONE = 25;
/** One such end in as many rounds, besides those at failpoints. */
const OTHER_ENDS: readonly End[] = [{ kind: "moment" }, { kind: "moment" }, { kind: "moment" }, { kind: "start" }];

/** The output of `--json`. */
interface Summary {
  readonly rounds: number;
  readonly seed: number;
  /** How often servers and commands were killed, by failpoint or kind. */
  readonly ends: Record<string, number>;
  receipts: number;
  repeated: number;
}

process.exitCode = await runTrials({ defaultRounds: 50, numbers: { "one-in": 1 }, run, inWords });

/** Tries each failpoint of commands once; then those of the server in turn, and between them the other ends. */
async function run(
  program: Program,
  folder: string,
  { rounds, seed, "one-in": oneIn }: Call<"one-in">,
  ends: Record<string, number>,
): Promise<Summary> {
  const summary: Summary = { rounds, seed, ends, receipts: 0, repeated: 0 };
  const random = new Seeded(seed);
  const count = (name: string) => {
    ends[name] = (ends[name] ?? 0) + 1;
  };
  const isTried = (_: unknown, index: number) => (index + seed) % oneIn === 0;
  const failpoints = failpointsOfServer();
  const trialOf = (failpoint: string) => COMMANDS[failpoint.split(":")[0] ?? ""];
  const ofServer = failpoints.filter((failpoint) => trialOf(failpoint) === undefined);
  const ofCommands = failpoints.flatMap((failpoint) => {
    const trial = trialOf(failpoint);
    return trial === undefined ? [] : [{ failpoint, trial }];
  });
  for (const { failpoint, trial } of ofCommands.filter(isTried)) {
    const own = join(folder, failpoint.replaceAll(/\W+/g, "-"));
    mkdirSync(own);
    await trial(program, own, failpoint);
    count(failpoint);
  }
  const endings: readonly End[] = [
    ...ofServer.filter(isTried).map((failpoint): End => ({ kind: "failpoint", failpoint })),
    ...OTHER_ENDS,
  ];
  let deployment: Deployment | null = null;
  for (let round = 0; round < rounds; round++) {
    if (round % ROUNDS_OF_ONE === 0) {
      await deployment?.close();
      add(summary, deployment);
      deployment = await Deployment.make(program, random, join(folder, `${round}`));
    }
    const end = endings[round % endings.length] ?? { kind: "moment" };
    const name = end.kind === "failpoint" ? end.failpoint : end.kind;
    showProgress(`round ${round + 1}: ${name}`);
    await deployment?.round(end);
    count(name);
  }
  await deployment?.close();
  add(summary, deployment);
  return summary;
}

function add(summary: Summary, deployment: Deployment | null): void {
  summary.receipts += deployment?.receipts ?? 0;
  summary.repeated += deployment?.repeated ?? 0;
}

function inWords({ rounds, seed, ends, receipts, repeated }: Summary): string {
  const lines = Object.entries(ends).map(([name, count]) => `${String(count).padStart(6)}  ${name}`);
  return `${lines.join("\n")}

Nothing was lost, and nothing contradicts anything: ${rounds} rounds (seed ${seed}), ${receipts} receipts,
${repeated} requests repeated that had got no answer.`;
}
