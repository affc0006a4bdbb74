/**
 * Whether others can slow down recording: the same load alone, while strangers have large objects verified, while
 * readers filter a long stream for missing events, while a system fetches packs of all of it or has it exported, and
 * while strangers, packs and exports come together.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { MAX_PACK_EVENTS } from "@svc/api/limits";
import { median, type Row, row, WrongAnswer } from "../measure.ts";
import type { Answers, Disturbance } from "./hostile.ts";
import type { Served } from "./load.ts";
import { loaded, makeOurs, startOurs } from "./programs.ts";
import { CLIENTS, pathOf, rate, type ServerBench, wanted } from "./server-bench.ts";

const BATCH = 1000;
const PROGRAM = fileURLToPath(new URL("hostile.ts", import.meta.url));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Single appends of many clients to one stream, while another stream of a hundred thousand events is read, or objects
 * are verified.
 */
export async function stalls(bench: ServerBench): Promise<Row[]> {
  const { folder, quick, rounds, seconds } = bench;
  const ours = await startOurs(await makeOurs(join(folder, "stalls")));
  try {
    const [long = "", stream = ""] = await ours.streams(2);
    const { port, apiKey } = ours;
    const requests = quick ? 2 : MAX_PACK_EVENTS / BATCH;
    const filled = { port, apiKey, clients: 4, seconds: 3600, batch: BATCH, requests, file: null };
    await loaded({ ...filled, paths: [`${pathOf(long)}/batch`] });
    const load = { port, apiKey, clients: CLIENTS, seconds, batch: 0, file: null };
    const append = () => loaded({ ...load, paths: [pathOf(stream)] });
    const read = { port, apiKey, streamId: long, events: requests * BATCH };
    const rows: Row[] = [];
    for (const [what, words] of [
      ["strangers", "100 objects a second to verify, from 8 addresses"],
      ["readers", "16 readers that find nothing"],
      ["packs", `4 packs of ${requests * BATCH} events at a time`],
      ["exports", `exports of ${requests * BATCH} events`],
      ["all", "packs, exports and objects to verify"],
    ] as const) {
      const [alone, disturbed]: [Served[], Served[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        alone.push(await append());
        disturbed.push(await under({ ...read, what }, append));
      }
      const p99 = (served: readonly Served[]) => median(served.map(({ p99_ms }) => p99_ms));
      const name = `single appends under ${words}`;
      rows.push(
        row(name, "receipts/s", rate(disturbed), rate(alone), "alone", wanted(bench, { at_least: 0.8 })),
        row(`${name}, p99`, "ms", p99(disturbed), p99(alone), "alone", wanted(bench, { at_most: 3 })),
      );
    }
    return rows;
  } finally {
    await ours.close();
  }
}

/** Resolves to the result of a load while the server is disturbed. Throws WrongAnswer if it was not disturbed. */
async function under(disturbance: Disturbance, load: () => Promise<Served>): Promise<Served> {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(disturbance)], {
    stdio: ["ignore", "pipe", "inherit"],
    cwd: ROOT,
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const begun = await lines.next();
  if (begun.done === true) throw new WrongAnswer(`nobody has disturbed the server: ${disturbance.what}`);
  const served = await load().finally(() => child.kill("SIGTERM"));
  const answers = JSON.parse((await lines.next()).value ?? "") as Answers;
  if (process.stderr.isTTY) console.error(`answers to ${disturbance.what}: ${JSON.stringify(answers)}`);
  return served;
}
