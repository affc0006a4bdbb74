/**
 * A server that archives its events, killed at a failpoint of the archive. After the next start every receipt must be
 * as it was answered, an erased payload must be in no file, and fsck must find neither a fault nor a stray file.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@svc/testkit/until";
import type { Program } from "./program.ts";
import { type Api, read, write } from "./requests.ts";
import { must } from "./violation.ts";

const EVENTS = 5;
/** The token of the metrics, as a key. */
const METRICS = { apiKey: "token-of-the-metrics" };

/** An event that was answered, and its receipt as text. */
interface Kept {
  readonly id: string;
  readonly receipt: string;
}

/** Kills a server at a failpoint, in a new folder, and checks what the next one serves. Throws Violation. */
export async function archiveTrial(program: Program, folder: string, failpoint: string): Promise<void> {
  mkdirSync(folder);
  const data = join(folder, "data");
  const files = join(data, "archive");
  const init = await program.run(["init", "--origin", "chaos.example/evidence", "--data", data, "--json"]);
  must(init.code === 0, `init ends with ${init.code}: ${init.err}`);
  const { stream_id } = JSON.parse(init.out);
  const allow = ["--allow", "read,append,erase"];
  const key = await program.run(["keys", "create", ...allow, "--data", data, "--json"]);
  const apiKey: string = JSON.parse(key.out).api_key;
  const archiving = program.setting("SVC_ARCHIVE_AFTER_DAYS", "0").setting("SVC_METRICS_TOKEN", METRICS.apiKey);

  const first = await archiving.mustStart(data, { kill: { failpoint, nth: 1 } });
  const api = { url: first.url, apiKey };
  const kept = await append(api, stream_id);
  must(kept.length > 0, "nothing was recorded");
  const erased = new Set<string>();
  let isOver = false;
  void first.ended.then(() => {
    isOver = true;
  });
  await until(`the server is killed at ${failpoint}`, async () => {
    if (isOver) return true;
    // The failpoints of an erasure come after it alone, and only if the database had the file by then: one that is
    // still being made is made again without the payload.
    const next = kept[erased.size];
    const isArchived = (await archivedEvents(first.url)) > erased.size;
    if (next !== undefined && isArchived && [...erased].every((id) => !holds(files, id))) {
      erased.add(next.id);
      await erase(api, stream_id, next.id);
    }
    return null;
  });
  const { code, err } = await first.ended;
  must(code === null, `the server was not killed at ${failpoint}, and ended with ${code}: ${err}`);

  const second = await archiving.mustStart(data);
  const again = { url: second.url, apiKey };
  // An erasure that was not answered is asked for again; where nothing was erased yet, the first event is.
  for (const id of new Set([kept[0]?.id ?? "", ...erased])) {
    erased.add(id);
    const answer = await erase(again, stream_id, id);
    must(answer?.status === 200, `the erasure is answered with ${answer?.status}: ${answer?.text}`);
  }
  await until("the archive holds all other events, and no erased one", async () => {
    const isDone = kept.every(({ id }) => holds(files, id) !== erased.has(id));
    return isDone || null;
  });
  for (const { id, receipt } of kept) {
    const { text = "" } = (await read(again, `/v2/receipts/${id}`)) ?? {};
    if (erased.has(id)) must(!("payload" in JSON.parse(text)), `the erased payload of ${id} is served: ${text}`);
    else must(text === receipt, `the receipt ${id} was ${receipt}, and is ${text}`);
  }
  second.kill("SIGTERM");
  await second.ended;
  const fsck = await program.run(["fsck", "--data", data, "--json"]);
  must(fsck.code === 0, `fsck ends with ${fsck.code}: ${fsck.out}${fsck.err}`);
}

async function append(api: Api, streamId: string): Promise<Kept[]> {
  const kept: Kept[] = [];
  for (let number = 0; number < EVENTS; number++) {
    const body = JSON.stringify({
      source_ref: `loan-${number}`,
      event_type: "loan.decided",
      occurred_at: "2026-03-01T10:15:30.5+01:00",
      payload: { number },
    });
    const path = `/v2/streams/${streamId}/events`;
    const answer = await write(api, { path, body, idempotencyKey: `event-${number}` });
    // The first events can be archived, and the server killed, before the last ones are sent.
    if (answer === null) break;
    must(answer.status === 201, `an event is answered with ${answer.status}: ${answer.text}`);
    kept.push({ id: JSON.parse(answer.text).stream_event_id, receipt: answer.text });
  }
  return kept;
}

function erase(api: Api, streamId: string, eventId: string) {
  const path = `/v2/streams/${streamId}/events/${eventId}/erase`;
  return write(api, {
    path,
    body: JSON.stringify({ reason: "a request of the person" }),
    idempotencyKey: `erase-${eventId}`,
  });
}

/** Resolves to how many of the first events have their payloads in the archive alone; 0 if no answer comes. */
async function archivedEvents(url: string): Promise<number> {
  const answer = await read({ url, ...METRICS }, "/metrics");
  return Number(/^svc_archived_events (\d+)$/m.exec(answer?.text ?? "")?.[1] ?? 0);
}

/** Returns whether a file of the archive, finished or not, has the payload of an event. */
function holds(folder: string, eventId: string): boolean {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.includes(".bundle_")) : [];
  return names.some((name) => {
    try {
      return readFileSync(join(folder, name), "utf8").includes(`"${eventId}":{"payload":`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
      throw error;
    }
  });
}
