/**
 * Whether others can slow down recording: the same load alone, while strangers have large objects verified or read no
 * answer, while readers filter a long stream for missing events, while a system fetches packs of all of it or has it
 * exported, and while strangers, packs and exports come together; one client alone, and while another repeats a large
 * batch; and a pack alone, and while strangers ask for the consistency of a stream of many windows.
 */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { MAX_PACK_EVENTS } from "@svc/api/limits";
import { median, type Row, row, WrongAnswer } from "../measure.ts";
import { under } from "./disturbed.ts";
import type { Disturbance } from "./hostile.ts";
import type { Served } from "./load.ts";
import { loaded, makeOurs, type OurServer, startOurs } from "./programs.ts";
import { CLIENTS, pathOf, rate, type ServerBench, wanted } from "./server-bench.ts";

const BATCH = 1000;
const WINDOWS = 20_000;
const PACK_EVENTS = 65_536;
/** A server with the usual limits stays below this (docs/operations.md, Sizing). */
const MEMORY_MIB = 1536;

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
      ["deaf", "100 connections a second that read no answer, from 8 addresses"],
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
      if (what === "deaf")
        rows.push(
          row(`${name}, peak memory`, "MiB", ours.peakMib(), MEMORY_MIB, "limit", wanted(bench, { at_most: 1 })),
        );
    }
    const other = await ours.otherSystem();
    const singles = () => loaded({ ...load, apiKey: other.apiKey, clients: 1, paths: [pathOf(other.streamId)] });
    rows.push(await repeats(bench, { ...read, what: "repeats" }, singles));
    rows.push(await consistency(bench, ours, read));
    return rows;
  } finally {
    await ours.close();
  }
}

/** One client with single events, while one of another system repeats a batch of 15 MiB. */
async function repeats(bench: ServerBench, disturbance: Disturbance, singles: () => Promise<Served>): Promise<Row> {
  const [alone, disturbed]: [number[], number[]] = [[], []];
  for (let round = 0; round < bench.rounds; round++) {
    alone.push((await singles()).p50_ms);
    disturbed.push((await under(disturbance, singles)).p50_ms);
  }
  const name = "single appends, 1 client, under a repeated batch of 15 MiB, p50";
  return row(name, "ms", median(disturbed), median(alone), "alone", wanted(bench, { at_most: 3 }));
}

/** A pack of the long stream, while two strangers ask for the consistency of a stream of small windows. */
async function consistency(
  bench: ServerBench,
  ours: OurServer,
  { port, apiKey, streamId, events }: Omit<Disturbance, "what">,
): Promise<Row> {
  const file = join(bench.folder, "small-windows.json");
  writeFileSync(file, JSON.stringify({ policy_id: "small-windows", window_max_events: 1, window_max_seconds: 1 }));
  await promisify(execFile)(process.execPath, [
    ours.program,
    "policies",
    "declare",
    "--file",
    file,
    "--data",
    ours.path,
  ]);
  const [windows = ""] = await ours.streams(1, "small-windows");
  const requests = bench.quick ? 50 : WINDOWS;
  await loaded({
    port,
    apiKey,
    clients: CLIENTS,
    seconds: 3600,
    batch: 0,
    requests,
    file: null,
    paths: [pathOf(windows)],
  });
  await ours.settled();
  const pack = async (): Promise<number> => {
    const start = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}/v2/audit/packs`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ stream_id: streamId, from_seq_no: 1, to_seq_no: Math.min(events, PACK_EVENTS) }),
    });
    for await (const _ of response.body ?? []);
    if (response.status !== 201) throw new WrongAnswer(`a pack was answered with ${response.status}`);
    return performance.now() - start;
  };
  const [alone, disturbed]: [number[], number[]] = [[], []];
  for (let round = 0; round < bench.rounds; round++) {
    alone.push(await pack());
    disturbed.push(await under({ port, apiKey, streamId: windows, events: requests, what: "consistency" }, pack));
  }
  const name = `audit pack under consistency of ${requests} windows by 2 strangers`;
  return row(name, "ms", median(disturbed), median(alone), "alone", wanted(bench, { at_most: 3 }));
}
