/**
 * The state of a disk after the power came back: everything that was answered before is still there, unchanged.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Fault } from "@svc/host/checks";
import { systemClock } from "../../../packages/host/src/clock.ts";
import { DataFolderError } from "../../../packages/server/src/data-folder/data-folder.ts";
import { checkDatabase } from "../../../packages/server/src/fsck/check-database.ts";
import { initialize } from "../../../packages/server/src/initialize.ts";
import { kernel } from "../../../packages/server/src/kernel.ts";
import { type RunningServer, serve } from "../../../packages/server/src/serving/serve.ts";
import { readConfig } from "../../../packages/server/src/settings/config.ts";
import type { EventRow } from "../../../packages/server/src/streams/events-store.ts";
import { recordText } from "../../../packages/server/src/streams/receipt-records.ts";
import { THIN_SERVER } from "../../../packages/server/src/thin-server/program.ts";
import { readingMemory } from "../../../packages/server/src/witness-memory/witness-memory.ts";
import type { Program } from "../program.ts";
import { type Api, write } from "../requests.ts";
import type { Seeded } from "../seeded.ts";
import { must } from "../violation.ts";
import type { Answered, Recording } from "./recording.ts";

/** How many requests are sent again, of those that were answered before the power cut, and of the others. */
const REPEATED = 2;

/** The clients' knowledge at a moment. */
interface Known {
  readonly isMade: boolean;
  readonly hasKey: boolean;
  readonly isBackedUp: boolean;
  readonly events: ReadonlySet<string>;
  readonly exports: readonly string[];
  /** Receipts as they were handed out, by their events. */
  readonly texts: ReadonlyMap<string, string>;
  /** Events whose payload may be gone, by whether it must be. */
  readonly erased: ReadonlyMap<string, boolean>;
  readonly answered: readonly Answered[];
  readonly open: readonly Answered[];
}

/** Returns the clients' knowledge at a moment of a recording. */
export function knownBy(recording: Recording, moment: number): Known {
  const { requests, toldEvents, readyExports, madeAt, keyAt, backupAt } = recording;
  const isTold = (eventId: string) => (toldEvents.get(eventId) ?? Number.POSITIVE_INFINITY) < moment;
  const texts = new Map<string, string>();
  const erased = new Map<string, boolean>();
  const answered: Answered[] = [];
  const open: Answered[] = [];
  for (const one of requests) {
    const { kind, eventId } = one.request;
    const body = one.text === null ? null : JSON.parse(one.text);
    if (kind === "erase" && eventId !== null) {
      const isDone = body !== null && isTold(body.lifecycle_record.stream_event_id);
      erased.set(eventId, isDone || erased.get(eventId) === true);
      if (isDone) texts.set(body.lifecycle_record.stream_event_id, JSON.stringify(body.lifecycle_record));
    }
    if (kind !== "append") continue;
    const records = body === null ? [] : (body.receipts ?? [body]);
    const isKnown = records.length > 0 && records.every((record: EventRow) => isTold(record.stream_event_id));
    (isKnown ? answered : open).push(one);
    for (const record of records)
      if (isTold(record.stream_event_id))
        texts.set(record.stream_event_id, body.receipts === undefined ? (one.text ?? "") : JSON.stringify(record));
  }
  const before = (times: ReadonlyMap<string, number>) => [...times].filter(([, at]) => at < moment).map(([id]) => id);
  return {
    isMade: madeAt <= moment,
    hasKey: keyAt <= moment,
    isBackedUp: backupAt <= moment,
    events: new Set(before(toldEvents)),
    exports: before(readyExports),
    texts,
    erased,
    answered,
    open,
  };
}

/** Starts a server of this process on the disk, and checks. Throws Violation. */
export async function examine(folder: string, recording: Recording, known: Known, random: Seeded): Promise<void> {
  const dataFolder = join(folder, recording.dataFolder);
  if (known.isBackedUp) mustBeBackup(join(folder, recording.backup));
  if (!known.isMade) await makeAgain(dataFolder);
  const server = await started(dataFolder);
  try {
    await mustHold(server, known);
    if (known.hasKey) await repeat({ url: server.url, apiKey: recording.apiKey }, known, random);
    await mustBeSound(server, dataFolder, known);
  } finally {
    await server.service.close();
    await server.close().catch(() => undefined);
  }
}

/** Does the same with the program itself: `fsck`, then `start`, and a receipt. Throws Violation. */
export async function examineByProgram(
  program: Program,
  folder: string,
  recording: Recording,
  known: Known,
): Promise<void> {
  const dataFolder = join(folder, recording.dataFolder);
  if (!known.isMade) return;
  const { code, out, err } = await program.run(["fsck", "--data", dataFolder, "--json"]);
  must(code === 0, `fsck ends with ${code}: ${out}${err}`);
  const running = await program.mustStart(dataFolder);
  for (const [eventId, text] of [...known.texts].slice(-3)) {
    if (known.erased.has(eventId)) continue;
    const answer = await fetch(`${running.url}/v2/receipts/${eventId}`, {
      headers: { authorization: `Bearer ${recording.apiKey}` },
    });
    const served = await answer.text();
    must(served === text, `the receipt of ${eventId} was ${text}, and is ${served}`);
  }
  running.kill("SIGTERM");
  const ended = await running.ended;
  must(ended.code === 0, `the server was asked to stop, and ended with ${ended.code}: ${ended.err}`);
}

/** Its manifest names its files and their hashes. */
function mustBeBackup(folder: string): void {
  must(existsSync(join(folder, "manifest.json")), `a backup was made, and ${folder} has none`);
  const { files } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  for (const [name, { sha256 }] of Object.entries<{ sha256: string }>(files)) {
    const found = createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
    must(found === sha256, `${name} of a backup is not what it was`);
  }
}

/** A deployment that nobody was shown is there whole, or can be made. */
async function makeAgain(dataFolder: string): Promise<void> {
  const names = { tenantName: "Bank", systemName: "Loans", useCase: "loans" };
  try {
    await initialize({
      program: THIN_SERVER,
      dataFolder,
      origin: "chaos.example/power",
      ...names,
      withKey: true,
      kernel,
      clock: systemClock,
    });
  } catch (error) {
    // A successful start shows that it is whole.
    if (!(error instanceof DataFolderError)) throw error;
  }
}

async function started(dataFolder: string): Promise<RunningServer> {
  const settings = {
    SVC_DATA: dataFolder,
    SVC_PORT: "0",
    SVC_LOG_LEVEL: "silent",
    SVC_SEAL_INTERVAL_MS: "20",
    SVC_KEY_REQUESTS_PER_SECOND: "0",
    SVC_ADDRESS_REQUESTS_PER_SECOND: "0",
  };
  try {
    return await serve(THIN_SERVER, readConfig(THIN_SERVER, settings), { kernel, clock: systemClock });
  } catch (error) {
    must(false, `the server does not start: ${(error as Error).message}`);
  }
}

async function mustHold({ service }: RunningServer, { events, texts, erased }: Known): Promise<void> {
  const rows = await service.context.database.read((reader) => reader.all<EventRow>("SELECT * FROM events"));
  const held = new Map(rows.map((row) => [row.stream_event_id, row]));
  for (const eventId of events) must(held.has(eventId), `event ${eventId} was handed out, and is not there`);
  for (const [eventId, text] of texts) {
    const row = held.get(eventId);
    if (row === undefined) continue;
    const mustBeErased = erased.get(eventId);
    if (mustBeErased === true) must(row.payload === null, `the payload of ${eventId} was erased, and is back`);
    if (mustBeErased === undefined)
      must(recordText(row) === text, `the receipt of ${eventId} was ${text}, and is ${recordText(row)}`);
    else must(row.event_hash === JSON.parse(text).event_hash, `the receipt of ${eventId} has another hash`);
  }
}

/** An answered request gets the same answer, and an unanswered one is recorded once. */
async function repeat(api: Api, { answered, open, erased }: Known, random: Seeded): Promise<void> {
  const latest = answered.slice(-1);
  const others = Array.from({ length: REPEATED - 1 }, () => answered.slice(0, -1)).filter(({ length }) => length > 0);
  for (const { request, text } of [...latest, ...others.map((some) => random.pick(some))]) {
    const answer = await write(api, request);
    const isErased = [...erased.keys()].some((eventId) => text?.includes(eventId));
    must(
      answer !== null && answer.status < 300,
      `a repeated request is answered with ${answer?.status}: ${answer?.text}`,
    );
    must(isErased || answer.text === text, `a repeated request got two answers: ${text} and ${answer.text}`);
  }
  for (const { request } of open.slice(0, REPEATED)) {
    const [first, second] = [await write(api, request), await write(api, request)];
    // Its stream may have been made after the power cut.
    if (first?.status === 404) continue;
    must(first?.status === 201, `a request that is sent again is answered with ${first?.status}: ${first?.text}`);
    must(first.text === second?.text, `one request, sent twice, got two answers: ${first.text} and ${second?.text}`);
  }
}

async function mustBeSound({ service }: RunningServer, dataFolder: string, { exports }: Known): Promise<void> {
  const { database, origin, keyedHash, folder } = service.context;
  const faults: Fault[] = [];
  const exportsPath = join(dataFolder, "exports");
  const archivePath = join(dataFolder, "archive");
  const checked = { database, kernel, origin, keyedHash, exportsPath, archivePath };
  await readingMemory(folder.witnessMemoryPath, async (witnessMemory) => {
    for await (const fault of checkDatabase({ program: THIN_SERVER, ...checked, witnessMemory })) faults.push(fault);
  });
  must(faults.length === 0, `fsck finds ${JSON.stringify(faults.slice(0, 3))}`);
  // It runs after fsck, which reports a package without its file until the server counts it as lost.
  const states = await database.read((reader) =>
    reader.all<{ export_id: string; state: string }>("SELECT export_id, state FROM exports"),
  );
  for (const id of exports) {
    const state = states.find(({ export_id }) => export_id === id)?.state;
    must(state === "ready", `the package of ${id} was ready, and is ${state}`);
  }
}
