/**
 * `pnpm chaos [--rounds N] [--seed S] [--json]`: real servers under load, killed at every named step, at any moment and while they start; after
 * each restart everything that was acknowledged must be there, and nothing may contradict anything. Ends with 1 where something must not have
 * happened, and keeps the folder; with 64 for a wrong call.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMANDS } from "./commands.ts";
import { Deployment, type End } from "./deployment.ts";
import { Program } from "./program.ts";
import { readCall } from "./read-call.ts";
import { Seeded } from "./seeded.ts";
import { stepsOfServer } from "./steps.ts";
import { Violation } from "./violation.ts";

const USAGE = "usage: pnpm chaos [--rounds <number, default 50>] [--seed <number>] [--json]";
/** A new deployment after so many rounds: what is checked grows with what was recorded. */
const ROUNDS_OF_ONE = 25;
/** Of as many rounds, besides those at steps. */
const OTHER_ENDS: readonly End[] = [{ kind: "moment" }, { kind: "moment" }, { kind: "moment" }, { kind: "start" }];

/** What `--json` prints. */
interface Summary {
  readonly rounds: number;
  readonly seed: number;
  /** How often servers and commands were ended, by step or kind. */
  readonly ends: Record<string, number>;
  receipts: number;
  repeated: number;
}

process.exitCode = await main();

async function main(): Promise<number> {
  const call = readCall(50);
  if (call === null) {
    console.error(USAGE);
    return 64;
  }
  const { rounds, seed, json } = call;
  const folder = mkdtempSync(join(tmpdir(), "svc-chaos-"));
  const summary: Summary = { rounds, seed, ends: {}, receipts: 0, repeated: 0 };
  const program = await Program.build(folder);
  try {
    await allRounds(program, folder, summary);
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    console.error(`chaos: ${error.message}\nseed ${seed}, after ${JSON.stringify(summary.ends)}; see ${folder}`);
    return 1;
  } finally {
    program.end();
  }
  rmSync(folder, { recursive: true });
  console.log(json ? JSON.stringify(summary) : inWords(summary));
  return 0;
}

/** Each step once, then again; between them the other ends. */
async function allRounds(program: Program, folder: string, summary: Summary): Promise<void> {
  const random = new Seeded(summary.seed);
  const count = (name: string) => {
    summary.ends[name] = (summary.ends[name] ?? 0) + 1;
  };
  const steps = stepsOfServer();
  const trialOf = (step: string) => COMMANDS[step.split(":")[0] ?? ""];
  for (const step of steps) {
    const trial = trialOf(step);
    if (trial === undefined) continue;
    const own = join(folder, step.replaceAll(/\W+/g, "-"));
    mkdirSync(own);
    await trial(program, own, step);
    count(step);
  }
  const ofServer = steps.filter((step) => trialOf(step) === undefined);
  const ends: readonly End[] = [...ofServer.map((step): End => ({ kind: "step", step })), ...OTHER_ENDS];
  let deployment: Deployment | null = null;
  for (let round = 0; round < summary.rounds; round++) {
    if (round % ROUNDS_OF_ONE === 0) {
      await deployment?.close();
      add(summary, deployment);
      deployment = await Deployment.make(program, random, join(folder, `${round}`));
    }
    const end = ends[round % ends.length] ?? { kind: "moment" };
    const name = end.kind === "step" ? end.step : end.kind;
    if (process.stderr.isTTY) process.stderr.write(`\rround ${round + 1}: ${name}\u001b[K`);
    await deployment?.round(end);
    count(name);
  }
  await deployment?.close();
  add(summary, deployment);
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
