/**
 * `pnpm chaos:downloads [--rounds N] [--events E] [--seed S] [--json]`: several clients download a truth package of E
 * events, while the server is killed N times. Every download must finish with the bytes that the export names, and
 * every access must be recorded once, before its first byte. Exits with 1 if that fails, and keeps the folder; with 64
 * for a wrong call.
 */
import { join } from "node:path";
import type { Program } from "../program.ts";
import type { Call } from "../read-call.ts";
import { Seeded } from "../seeded.ts";
import { runTrials } from "../trials.ts";
import { KilledDownloads } from "./trial.ts";

const CLIENTS = 4;

process.exitCode = await runTrials({
  name: "downloads",
  roundsAre: "number of kills",
  defaultRounds: 50,
  numbers: { events: 100_000 },
  run,
  inWords,
});

async function run(program: Program, folder: string, { rounds, events, seed }: Call<"events">) {
  const trial = await KilledDownloads.make(program, new Seeded(seed), join(folder, "data"));
  const wanted = await trial.pack(events);
  await trial.fetch(wanted, { clients: CLIENTS, kills: rounds });
  await trial.close();
  return { rounds, events, seed, sizeBytes: wanted.sizeBytes, ...trial.counts };
}

function inWords(summary: {
  readonly seed: number;
  readonly events: number;
  readonly sizeBytes: number;
  readonly kills: number;
  readonly finished: number;
  readonly resumed: number;
  readonly lostTickets: number;
}): string {
  const { seed, events, sizeBytes, kills, finished, resumed, lostTickets } = summary;
  return `All ${finished} downloads of ${sizeBytes} bytes (${events} events) came whole, over ${kills} kills (seed ${seed}): ${resumed} were cut off and went on,
${lostTickets} tickets were used up by an answer that never came.`;
}
