/**
 * `pnpm chaos:pause [--rounds N] [--seconds S] [--seed S] [--json]`: a server under load is stopped with SIGSTOP for S seconds, in the middle of a
 * commit, under each lease and at any moment, while commands run beside it and clients send again; then it goes on. Ends with 1 where
 * something is lost, doubled, contradicted or stuck, and keeps the folder; with 64 for a wrong call.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Program } from "../program.ts";
import { readCall } from "../read-call.ts";
import { Seeded } from "../seeded.ts";
import { Violation } from "../violation.ts";
import { Pausing } from "./trial.ts";

const USAGE =
  "usage: pnpm chaos:pause [--rounds <number, default 8>] [--seconds <number, default 60>] [--seed <number>] [--json]";
/** Where it is stopped, by turns; null: at any moment. In the middle of a commit the database is held, and under a lease others may take it over. */
const STEPS: readonly (string | null)[] = [
  null,
  "append: signed",
  "commit: due",
  "commit: done",
  "window: sealed",
  "checkpoint: sealed",
];

process.exitCode = await main();

async function main(): Promise<number> {
  const call = readCall(8, { seconds: 60 });
  if (call === null) {
    console.error(USAGE);
    return 64;
  }
  const { rounds, seconds, seed, json } = call;
  const folder = mkdtempSync(join(tmpdir(), "svc-chaos-pause-"));
  const program = await Program.build(folder);
  const stops: Record<string, number> = {};
  try {
    const trial = await Pausing.make(program, new Seeded(seed), join(folder, "data"));
    trial.allow(seconds * 1000);
    for (let round = 0; round < rounds; round++) {
      const step = STEPS[round % STEPS.length] ?? null;
      const name = step ?? "moment";
      if (process.stderr.isTTY) process.stderr.write(`\rround ${round + 1}: ${name}\u001b[K`);
      await trial.round(step, seconds * 1000);
      stops[name] = (stops[name] ?? 0) + 1;
    }
    await trial.close();
    const summary = { rounds, seconds, seed, stops, ...trial.counts };
    console.log(json ? JSON.stringify(summary) : inWords(summary));
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    console.error(`chaos: ${error.message}\nseed ${seed}, after ${JSON.stringify(stops)}; see ${folder}`);
    return 1;
  } finally {
    program.end();
  }
  rmSync(folder, { recursive: true });
  return 0;
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
