/**
 * `pnpm chaos:power [--rounds N] [--seed S] [--json]`: power cuts. Records, with strace, what a real server does to its
 * files under load, and which receipts had left it at which moment; then makes N disks as they may be after a power cut
 * at any moment: everything that was synced, and any part of the rest, in any order, torn in sectors and pages. On each
 * a server must start and hold everything that was handed out. Exits with 1 if one does not, and keeps its folder; with
 * 64 for a wrong call.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Program } from "../program.ts";
import type { Call } from "../read-call.ts";
import { Seeded } from "../seeded.ts";
import { runTrials, showProgress } from "../trials.ts";
import { Disks, FATES, writeDisk } from "./disk.ts";
import { examine, examineByProgram, knownBy } from "./examine.ts";
import { hasTracer, type Recording, recordWhole } from "./recording.ts";

/** Answers to writes in each of the two lives of the recorded server. */
const ANSWERS = 150;
/** One disk in so many is examined by the program itself. */
const BY_PROGRAM = 50;
/** One disk in so many is cut behind the last step. */
const AT_THE_END = 25;

process.exitCode = await main();

async function main(): Promise<number> {
  if (hasTracer()) return runTrials({ name: "power", roundsAre: "number of disks", defaultRounds: 200, run, inWords });
  console.error("chaos: strace is not installed, and nothing can be recorded without it");
  return 1;
}

async function run(program: Program, folder: string, { rounds, seed }: Call) {
  const random = new Seeded(seed);
  const recording = await recordWhole(program, folder, random, ANSWERS);
  const tried = await cutOften(program, folder, recording, { rounds, random });
  return { rounds, seed, steps: recording.history.steps.length, events: recording.toldEvents.size, ...tried };
}

async function cutOften(
  program: Program,
  folder: string,
  recording: Recording,
  { rounds, random }: { readonly rounds: number; readonly random: Seeded },
) {
  const { history } = recording;
  const moments = Array.from({ length: rounds }, (_, round) =>
    round % AT_THE_END === 0 ? history.end : random.pick(history.steps).at + 1,
  ).sort((a, b) => a - b);
  const disks = new Disks(history);
  const counts = { byProgram: 0, unsynced: 0, receipts: 0 };
  for (const [round, moment] of moments.entries()) {
    disks.advance(moment);
    const own = join(folder, `disk-${round}`);
    // One fate for all files, or one for each.
    const fate = random.pick(FATES);
    const isOne = random.number() < 0.5;
    writeDisk(
      disks.cut(random, () => (isOne ? fate : random.pick(FATES))),
      own,
    );
    const known = knownBy(recording, moment);
    counts.unsynced += disks.unsynced;
    counts.receipts += known.events.size;
    showProgress(`disk ${round + 1}`);
    if (round % BY_PROGRAM === BY_PROGRAM - 1) {
      await examineByProgram(program, own, recording, known);
      counts.byProgram += 1;
    } else await examine(own, recording, known, random);
    rmSync(own, { recursive: true });
  }
  return counts;
}

function inWords(summary: {
  readonly rounds: number;
  readonly seed: number;
  readonly steps: number;
  readonly events: number;
  readonly byProgram: number;
  readonly unsynced: number;
  readonly receipts: number;
}): string {
  const { rounds, seed, steps, events, byProgram, unsynced, receipts } = summary;
  return `Nothing was lost on ${rounds} disks (seed ${seed}), ${byProgram} of them under the program itself. ${steps} steps of a server were recorded,
which handed out ${events} receipts; ${unsynced} changes were on their way when the power was cut, and ${receipts} receipts looked for.`;
}
