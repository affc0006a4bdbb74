/**
 * `pnpm chaos:downloads [--rounds N] [--events E] [--seed S] [--json]`: a truth package of E events is fetched by clients at once, while the server is
 * killed N times. Every download must come to its end with the bytes that the export names, and every access be recorded once, before its first byte.
 * Ends with 1 where that is not so, and keeps the folder; with 64 for a wrong call.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Program } from "../program.ts";
import { readCall } from "../read-call.ts";
import { Seeded } from "../seeded.ts";
import { Violation } from "../violation.ts";
import { KilledDownloads } from "./trial.ts";

const USAGE =
  "usage: pnpm chaos:downloads [--rounds <number of kills, default 50>] [--events <number, default 100000>] [--seed <number>] [--json]";
const CLIENTS = 4;

process.exitCode = await main();

async function main(): Promise<number> {
  const call = readCall(50, { events: 100_000 });
  if (call === null) {
    console.error(USAGE);
    return 64;
  }
  const { rounds, events, seed, json } = call;
  const folder = mkdtempSync(join(tmpdir(), "svc-chaos-downloads-"));
  const program = await Program.build(folder);
  try {
    const trial = await KilledDownloads.make(program, new Seeded(seed), join(folder, "data"));
    const wanted = await trial.pack(events);
    await trial.fetch(wanted, { clients: CLIENTS, kills: rounds });
    await trial.close();
    const summary = { rounds, events, seed, sizeBytes: wanted.sizeBytes, ...trial.counts };
    console.log(json ? JSON.stringify(summary) : inWords(summary));
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    console.error(`chaos: ${error.message}\nseed ${seed}; see ${folder}`);
    return 1;
  } finally {
    program.end();
  }
  rmSync(folder, { recursive: true });
  return 0;
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
