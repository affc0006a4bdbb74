/**
 * A database on a server with years of rows, of `bench store`: its append rate, its start, and how long sealing and
 * `proof-state` take, beside an empty one.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { median, type Row, row } from "../measure.ts";
import { type OurServer, startOurs } from "../server/programs.ts";
import { CLIENTS, pathOf } from "../server/server-bench.ts";
import { eventsASecond, onPostgres, type StoreBench, wanted } from "./bench.ts";
import { filled } from "./filled.ts";

/** The time after which the policy `default` closes a window. */
const WINDOW_MS = 2000;
const BUSY_STREAMS = 100;
const POLL_MS = 10;

export async function years(bench: StoreBench): Promise<Row[]> {
  const { folder, what } = await filled(bench);
  const empty = await onPostgres(bench, "years-empty");
  const full = await startOurs(folder);
  try {
    return await beside(bench, what, full, empty);
  } finally {
    await full.close();
  }
}

async function beside(bench: StoreBench, what: string, full: OurServer, empty: OurServer): Promise<Row[]> {
  const [fullPaths, emptyPaths] = [
    (await full.streams(BUSY_STREAMS)).map(pathOf),
    (await empty.streams(BUSY_STREAMS)).map(pathOf),
  ];
  const shape = { clients: CLIENTS, seconds: bench.seconds, batch: 0 };
  const [own, other]: [number[], number[]] = [[], []];
  const [sealed, states]: [number[], number[]] = [[], []];
  for (let round = 0; round < bench.rounds; round++) {
    other.push(await eventsASecond(empty, emptyPaths, shape));
    own.push(await eventsASecond(full, fullPaths, shape));
    const [stream = ""] = await full.streams(1);
    const times = await sealingOf(full, stream);
    sealed.push(times.sealedMs - WINDOW_MS);
    states.push(times.stateMs);
  }
  return [
    row(`${what}, single appends`, "receipts/s", median(own), median(other), "empty", wanted(bench, { at_least: 0.8 })),
    row(`${what}, start`, "ms", full.startMs, 3000, "limit", wanted(bench, { at_most: 1 })),
    row(`${what}, a window from due to witnessed`, "ms", median(sealed), 1000, "limit", wanted(bench, { at_most: 1 })),
    row(`${what}, proof-state`, "ms", median(states), 1000, "limit", wanted(bench, { at_most: 1 })),
  ];
}

/** Appends an event to a stream, and resolves to how long it took until its witness had it, and to the longest look. */
async function sealingOf({ port, apiKey }: OurServer, stream: string) {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    "content-type": "application/json",
    "idempotency-key": randomUUID(),
  };
  const at = `http://127.0.0.1:${port}/v2/streams/${stream}`;
  const body = JSON.stringify({
    source_ref: "one",
    event_type: "one",
    occurred_at: "2026-03-01T10:15:30Z",
    payload: {},
  });
  const appended = await fetch(`${at}/events`, { method: "POST", headers, body });
  if (appended.status !== 201) throw new Error(await appended.text());
  const start = performance.now();
  for (let stateMs = 0; ; ) {
    const asked = performance.now();
    const state = (await (await fetch(`${at}/proof-state`, { headers })).json()) as { witnessed_to_seq_no: number };
    stateMs = Math.max(stateMs, performance.now() - asked);
    if (state.witnessed_to_seq_no >= 1) return { sealedMs: performance.now() - start, stateMs };
    await pause(POLL_MS);
  }
}
