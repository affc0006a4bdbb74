/**
 * A deployment's life under strace, from the empty folder on: made, loaded, killed, its sealing key rotated, loaded
 * again with exports and erasures, stopped, and backed up. The recording has its actions on files, and its messages to
 * others, each with its moment.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Ledger } from "../ledger.ts";
import { Load } from "../load.ts";
import type { Program, Running } from "../program.ts";
import { type Answer, type Api, read, type Write, write } from "../requests.ts";
import type { Seeded } from "../seeded.ts";
import { must } from "../violation.ts";
import { Disks } from "./disk.ts";
import { History } from "./history.ts";
import { parseLog, tracer } from "./strace-log.ts";

/** Says whether strace is there, which everything here needs. */
export function hasTracer(): boolean {
  return spawnSync("strace", ["-V"]).status === 0;
}

const POLICY = { policy_id: "chaos", window_max_events: 8, window_max_seconds: 1, checkpoint_max_windows: 4 };
const ACTIONS = "read,append,create_stream,create_pack,export,erase";
const STREAMS = 2;
const LOOK_MS = 10;
const MOST_ATTEMPTS = 3;

/** A request with its answer, if one came. */
export interface Answered {
  readonly request: Write;
  readonly text: string | null;
}

export interface Recording {
  readonly history: History;
  /** The name of the data folder in the root. */
  readonly dataFolder: string;
  readonly requests: readonly Answered[];
  /** The moment at which the deployment was first shown to its maker. */
  readonly madeAt: number;
  readonly apiKey: string;
  /** The moment at which the key was first shown. */
  readonly keyAt: number;
  /** The path of a backup in the root, and the moment at which it was reported. */
  readonly backup: string;
  readonly backupAt: number;
  /** Events, by the moment at which somebody was first told of them. */
  readonly toldEvents: ReadonlyMap<string, number>;
  /** Exports, by the moment at which somebody was first told that they are ready. */
  readonly readyExports: ReadonlyMap<string, number>;
}

/** A ledger that keeps every request with its answer. */
class Notes extends Ledger {
  readonly answered: Answered[] = [];

  override take(request: Write, answer: Answer | null): void {
    super.take(request, answer);
    this.answered.push({ request, text: answer?.text ?? null });
  }
}

/**
 * Records a whole life. A call during which the process was killed may have been done or not; if that made a
 * difference, it records another life. Throws Violation.
 */
export async function recordWhole(
  program: Program,
  folder: string,
  random: Seeded,
  answers: number,
): Promise<Recording> {
  for (let attempt = 1; ; attempt++) {
    const recording = await record(program, join(folder, `recording-${attempt}`), random, answers);
    const whole = new Disks(recording.history);
    whole.advance(Number.POSITIVE_INFINITY);
    try {
      recording.history.mustBeWhole(filesOf(whole.cut(random, () => "all")));
      return recording;
    } catch (error) {
      if (attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

function filesOf(disk: ReadonlyMap<string, Buffer | null>): Map<string, Buffer> {
  return new Map([...disk].flatMap(([path, content]) => (content === null ? [] : [[path, content]])));
}

/** `answers`: about how many requests are answered in each of the two lives of the server. Throws Violation. */
async function record(program: Program, folder: string, random: Seeded, answers: number): Promise<Recording> {
  const root = join(folder, "root");
  const history = new History(root);
  const dataFolder = join(root, "data");
  const log = join(folder, "calls");
  const traced = program.under(tracer(log));
  const take = () => {
    history.add(parseLog(readFileSync(log, "latin1")));
    rmSync(log);
  };
  const command = async (...words: string[]) => {
    const { code, out, err } = await traced.run(words);
    must(code === 0, `${words[0]} ended with ${code}: ${err}`);
    take();
    return JSON.parse(out);
  };
  const init = ["init", "--origin", "chaos.example/power", "--data", dataFolder, "--json"];
  // The next call discards the interrupted one's work.
  const cutOff = await traced.run(init, { kill: { failpoint: "init: keys written", nth: 1 } });
  must(cutOff.code === null, `init ended with ${cutOff.code} before its failpoint: ${cutOff.err}`);
  take();
  const made = await command(...init);
  const madeAt = history.end;
  const policy = join(folder, "policy.json");
  writeFileSync(policy, JSON.stringify(POLICY));
  await command("policies", "declare", "--file", policy, "--data", dataFolder, "--json");
  const { api_key: apiKey } = await command("keys", "create", "--allow", ACTIONS, "--data", dataFolder, "--json");
  const keyAt = history.end;
  const ledger = new Notes(made.public_key_hex);

  const first = await traced.mustStart(dataFolder);
  const streams = await makeStreams({ url: first.url, apiKey }, made.system_id);
  // The folder of packages is made with the first one, under a server that is killed.
  const early = { url: first.url, apiKey };
  await useExports(early, [await streamWithEvent(early, made.system_id)], "early");
  const load = new Load(ledger, random, streams);
  await loadUntil(load, first, apiKey, answers, true);
  take();
  await command("keys", "rotate-signing", "--data", dataFolder, "--json");

  const second = await traced.mustStart(dataFolder);
  const api = { url: second.url, apiKey };
  await Promise.all([useExports(api, streams, "late"), loadUntil(load, second, apiKey, answers, false)]);
  second.kill("SIGTERM");
  const { code, err } = await second.ended;
  must(code === 0, `the server was asked to stop, and ended with ${code}: ${err}`);
  take();
  const backup = join("backups", "march", "first");
  await command("backup", "--to", join(root, backup), "--data", dataFolder, "--json");
  return {
    history,
    backup,
    backupAt: history.end,
    dataFolder: "data",
    requests: ledger.answered,
    madeAt,
    apiKey,
    keyAt,
    ...told(history),
  };
}

async function makeStreams(api: Api, systemId: string): Promise<string[]> {
  const streams: string[] = [];
  for (let number = 0; number < STREAMS; number++) {
    const body = { system_id: systemId, use_case: "loans", policy_id: POLICY.policy_id, metadata: {} };
    const request = { path: "/v2/streams", body: JSON.stringify(body), idempotencyKey: `stream-${number}` };
    const answer = await write(api, request);
    must(answer?.status === 201, `a stream cannot be made: ${answer?.text}`);
    streams.push(JSON.parse(answer.text).stream_id);
  }
  return streams;
}

/** Loads a server until so many requests were answered; then it is killed, or the load ends by itself. */
async function loadUntil(
  load: Load,
  running: Running,
  apiKey: string,
  answers: number,
  isKilled: boolean,
): Promise<void> {
  let count = 0;
  const enough = new AbortController();
  await load.run(
    { url: running.url, apiKey },
    () => {
      count += 1;
      if (count !== answers) return;
      // The server kills itself: no thread but those that wait for files is in the middle of anything.
      if (isKilled) running.order({ kill: { failpoint: "commit: done", nth: 1 } });
      enough.abort();
    },
    isKilled ? undefined : enough.signal,
  );
  if (isKilled) await running.ended;
}

/** Makes a stream with one event that nobody loads. */
async function streamWithEvent(api: Api, systemId: string): Promise<string> {
  const stream = JSON.stringify({ system_id: systemId, use_case: "alone", policy_id: POLICY.policy_id, metadata: {} });
  const made = await write(api, { path: "/v2/streams", body: stream, idempotencyKey: "alone" });
  must(made?.status === 201, `a stream cannot be made: ${made?.text}`);
  const { stream_id } = JSON.parse(made.text);
  const event = { source_ref: "alone", event_type: "alone", occurred_at: "2026-03-01T10:15:30Z", payload: {} };
  const path = `/v2/streams/${stream_id}/events`;
  const recorded = await write(api, { path, body: JSON.stringify(event), idempotencyKey: "alone" });
  must(recorded?.status === 201, `an event is refused: ${recorded?.text}`);
  return stream_id;
}

/** Builds and downloads packages of all events in the streams. `when` tells the requests from similar ones. */
async function useExports(api: Api, streams: readonly string[], when: string): Promise<void> {
  for (const [number, streamId] of streams.entries()) {
    const key = `${when}-${number}`;
    const body = JSON.stringify({ streams: [streamId], payloads: "redacted" });
    const asked = await write(api, { path: "/v1/exports", body, idempotencyKey: key });
    must(asked?.status === 201, `an export is refused: ${asked?.text}`);
    const path = `/v1/exports/${JSON.parse(asked.text).export_id}`;
    for (;;) {
      const answer = await read(api, path);
      must(answer?.status === 200, `an export is answered with ${answer?.status}: ${answer?.text}`);
      if (JSON.parse(answer.text).state === "ready") break;
      await pause(LOOK_MS);
    }
    const prepared = await write(api, { path: `${path}/download/prepare`, body: "", idempotencyKey: `${key}-ticket` });
    must(prepared?.status === 201, `a download is refused: ${prepared?.text}`);
    const download = await fetch(api.url + JSON.parse(prepared.text).path);
    must(download.status === 200, `a download is answered with ${download.status}`);
    await download.arrayBuffer();
  }
}

const EVENT = /"stream_event_id":"(sev_[0-9a-z]{26})"/g;
const READY = /"export_id":"(\w+)","state":"ready"/g;

/** Returns what the bytes that left the process contained, and when they first did. */
function told({ steps }: History): Pick<Recording, "toldEvents" | "readyExports"> {
  const toldEvents = new Map<string, number>();
  const readyExports = new Map<string, number>();
  for (const step of steps) {
    if (step.kind !== "told") continue;
    const text = step.bytes.toString("latin1");
    for (const [pattern, found] of [
      [EVENT, toldEvents],
      [READY, readyExports],
    ] as const)
      for (const [, id = ""] of text.matchAll(pattern)) if (!found.has(id)) found.set(id, step.at);
  }
  return { toldEvents, readyExports };
}
