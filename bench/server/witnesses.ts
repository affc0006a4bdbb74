/**
 * Outside witnesses of `bench server`: how long a checkpoint takes until all of three have cosigned it, and how far the
 * feeder falls behind with many of them and many streams. The witnesses are `svc-witness` processes on this machine.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { witnessProgram } from "@svc/testkit/built";
import {
  type PublicKeyHex,
  parseVerificationKey,
  selectKernel,
  verificationKey,
} from "../../packages/core/src/index.ts";
import { readConfig } from "../../packages/witness/src/config.ts";
import { makeWitness, openDatabase } from "../../packages/witness/src/database.ts";
import { addVkey } from "../../packages/witness/src/origins/origins-store.ts";
import { median, type Row, row, WrongAnswer } from "../measure.ts";
import { makeOurs, type OurFolder, type OurServer, startOurs } from "./programs.ts";
import { pathOf, type ServerBench, wanted } from "./server-bench.ts";

const kernel = selectKernel();
const ORIGIN = "bench.example/evidence";
/** How often each stream gets a checkpoint. */
const EACH_S = 60;
/** The longest time after the load for what is left of it. */
const REST_MS = 2 * EACH_S * 1000;
/** How often a state is asked for. */
const LOOK_MS = 2;

interface Witness {
  readonly vkey: string;
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The witnesses of a group, and the server that feeds them. */
interface Fed {
  readonly ours: OurServer;
  readonly streams: readonly string[];
  close(): Promise<void>;
}

/** Measures both. */
export async function witnesses(bench: ServerBench): Promise<Row[]> {
  return [...(await cosigning(bench)), ...(await keepingUp(bench))];
}

/** One checkpoint after another: the time from its making to the last of three cosignatures. */
async function cosigning(bench: ServerBench): Promise<Row[]> {
  const fed = await startFed(bench, "three", 3, 1);
  const [stream = ""] = fed.streams;
  const times: number[] = [];
  try {
    for (let number = 1; number <= (bench.quick ? 10 : 200); number++) {
      await append(fed.ours, stream, number);
      const state = await whenCosigned(fed.ours, stream, number);
      const now = Date.now();
      const checkpoint = await json(fed.ours, `/v2/checkpoints/${state.latest_checkpoint_id}`);
      times.push(now - Date.parse(checkpoint.created_at));
      // Not in step with the rounds of the sealer.
      await pause(Math.random() * 100);
    }
  } finally {
    await fed.close();
  }
  const sorted = times.toSorted((one, other) => one - other);
  const what = "checkpoint with three witnesses, until all have cosigned";
  return [
    row(what, "ms", median(times), 50, "limit", wanted(bench, { at_most: 1 })),
    row(`${what}, 95 %`, "ms", sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN, 50, "limit", null),
  ];
}

/** Many witnesses and streams, each with a checkpoint a minute: the longest time for which an origin waited. */
async function keepingUp(bench: ServerBench): Promise<Row[]> {
  const [count, most] = bench.quick ? [3, 50] : [20, 1000];
  const fed = await startFed(bench, "many", count, most);
  const [seconds, perSecond] = [bench.quick ? 5 : EACH_S, most / EACH_S];
  let longestMs = 0;
  let isDone = false;
  const looking = (async () => {
    while (!isDone) {
      longestMs = Math.max(longestMs, (await lag(fed.ours)) * 1000);
      await pause(500);
    }
  })();
  try {
    const begun = performance.now();
    const appends: Promise<void>[] = [];
    for (let number = 0; number < seconds * perSecond; number++) {
      const dueMs = (number / perSecond) * 1000;
      await pause(Math.max(0, begun + dueMs - performance.now()));
      appends.push(append(fed.ours, fed.streams[number % most] ?? "", number + 1));
    }
    await Promise.all(appends);
    const loadMs = performance.now() - begun;
    while ((await lag(fed.ours)) > 0 || (await uncheckpointed(fed.ours)) > 0) {
      // A witness that refuses an origin would be waited for without an end.
      if (performance.now() - begun - loadMs > REST_MS)
        throw new WrongAnswer(`after ${REST_MS} ms witnesses still lack checkpoints`);
      await pause(50);
    }
    const restMs = performance.now() - begun - loadMs;
    isDone = true;
    await looking;
    const what = `${count} witnesses, ${most} streams, a checkpoint of each in ${EACH_S} s`;
    return [
      row(`${what}: the longest wait`, "ms", longestMs, EACH_S * 1000, "limit", wanted(bench, { at_most: 1 })),
      row(`${what}: what is left at the end`, "ms", restMs, EACH_S * 1000, "limit", null),
    ];
  } finally {
    isDone = true;
    await looking.catch(() => undefined);
    await fed.close();
  }
}

/** Starts so many witnesses that watch so many streams, and a server whose policy asks for the half of them. */
async function startFed({ folder }: ServerBench, name: string, count: number, streamCount: number): Promise<Fed> {
  const program = await witnessProgram();
  const made = await makeOurs(join(folder, `fed-${name}`));
  const watching = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      madeWitness(join(folder, `${name}-${index}`), `w${index}.example/witness`),
    ),
  );
  await declare(made, watching);
  // The streams are made before the witnesses start, so that each gets all of them at once.
  const making = await startOurs(made);
  const streams = await streamsOf(making, streamCount);
  await making.close();
  for (const { environment } of watching) await watch(environment, made, streams);
  const running = await Promise.all(watching.map((one) => started(program, one)));
  const list = running.map(({ vkey, url }) => `${vkey} ${url}`).join(", ");
  const ours = await startOurs(made, { SVC_WITNESSES: list });
  return {
    ours,
    streams,
    close: async () => {
      await ours.close();
      for (const { child } of running) {
        child.kill("SIGKILL");
        await once(child, "close");
      }
    },
  };
}

async function madeWitness(folder: string, name: string) {
  const environment = {
    SVC_WITNESS_DATA: join(folder, "data"),
    SVC_WITNESS_KEYS: join(folder, "keys"),
    SVC_WITNESS_PORT: "0",
    SVC_WITNESS_ORIGIN_RATE: "0",
    SVC_WITNESS_ADDRESS_RATE: "0",
    SVC_WITNESS_LOG_LEVEL: "fatal",
  };
  const vkey = await makeWitness(kernel, name, readConfig(environment));
  return { name, vkey, environment };
}

async function watch(environment: Record<string, string>, made: OurFolder, streams: readonly string[]): Promise<void> {
  const database = await openDatabase(readConfig(environment).dataFolder);
  await database.write(async (writer) => {
    // The service log has the deployment's own origin.
    for (const origin of [ORIGIN, ...streams.map((stream) => `${ORIGIN}/${stream}`)]) {
      const vkey = verificationKey(kernel, origin, made.publicKeyHex as PublicKeyHex);
      await addVkey(writer, { origin, vkey, added_at: new Date().toISOString(), streams: 0 });
    }
  });
  await database.close();
}

async function started(
  program: string,
  { vkey, environment }: Pick<Witness, "vkey" | "environment">,
): Promise<{ readonly vkey: string; readonly url: string; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, [program, "start", "--json"], {
    env: { PATH: process.env.PATH ?? "", ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return { vkey, url: (JSON.parse(line) as { url: string }).url, child };
}

/** Declares the policy: a window for each event, and the half of the witnesses. */
async function declare({ path, program }: OurFolder, all: readonly { name: string; vkey: string }[]): Promise<void> {
  const witnessKeys = all.map(({ name, vkey }, index) => {
    const parsed = parseVerificationKey(kernel, vkey);
    if (!parsed.ok) throw new WrongAnswer(`${vkey} is no key`);
    return { witness_id: `w${index}`, name, public_key_hex: parsed.key.publicKeyHex };
  });
  const file = `${path}.policy.json`;
  const threshold = Math.ceil(all.length / 2);
  writeFileSync(
    file,
    JSON.stringify({ policy_id: "fed", window_max_events: 1, mode: "independent", threshold, witnessKeys }),
  );
  await promisify(execFile)(process.execPath, [program, "policies", "declare", "--file", file, "--data", path]);
}

async function streamsOf(ours: OurServer, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    const body = { system_id: ours.systemId, use_case: "bench", policy_id: "fed", metadata: {} };
    ids.push((await json(ours, "/v2/streams", body)).stream_id);
  }
  return ids;
}

async function append(ours: OurServer, stream: string, number: number): Promise<void> {
  const event = {
    source_ref: `${number}`,
    event_type: "bench",
    occurred_at: "2026-03-01T10:15:30Z",
    payload: { number },
  };
  await json(ours, pathOf(stream), event, { "idempotency-key": `${stream}-${number}` });
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read by the members that they are expected to have
async function whenCosigned(ours: OurServer, stream: string, seqNo: number): Promise<any> {
  for (;;) {
    const state = await json(ours, `/v2/streams/${stream}/proof-state`);
    const isCosigned = state.witnesses.every((one: { state: string }) => one.state === "cosigned");
    if (state.checkpointed_to_seq_no >= seqNo && isCosigned) return state;
    await pause(LOOK_MS);
  }
}

async function metrics(ours: OurServer): Promise<string> {
  const headers = { authorization: "Bearer a-token-for-the-bench" };
  return (await fetch(`http://127.0.0.1:${ours.port}/metrics`, { headers })).text();
}

/** Resolves to the time for which the first origin of the slowest witness has waited, in seconds. */
async function lag(ours: OurServer): Promise<number> {
  const text = await metrics(ours);
  const found = [...text.matchAll(/^svc_witness_lag_seconds\{.*\} (\S+)$/gm)].map(([, value]) => Number(value));
  if (found.length === 0) throw new WrongAnswer("there is no metric of the witnesses");
  return Math.max(...found);
}

async function uncheckpointed(ours: OurServer): Promise<number> {
  const [, value] = /^svc_sealer_lag_windows (\S+)$/m.exec(await metrics(ours)) ?? [];
  return Number(value);
}

async function json(
  ours: OurServer,
  path: string,
  body: object | null = null,
  headers: Record<string, string> = {},
  // biome-ignore lint/suspicious/noExplicitAny: answers are read by the members that they are expected to have
): Promise<any> {
  const response = await fetch(`http://127.0.0.1:${ours.port}${path}`, {
    headers: { authorization: `Bearer ${ours.apiKey}`, "content-type": "application/json", ...headers },
    ...(body === null ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new WrongAnswer(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
