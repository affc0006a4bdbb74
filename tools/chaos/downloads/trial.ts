/**
 * Downloads of one large package, while the server is killed again and again. Each resumes where it stopped, with the
 * ticket and the ETag of the answer before. The trial reads the disk right after a kill, so that it sees an access that
 * was not recorded by then.
 */
import { createHash, randomUUID } from "node:crypto";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Program, Running } from "../program.ts";
import { type Api, read, write } from "../requests.ts";
import type { Seeded } from "../seeded.ts";
import { must } from "../violation.ts";

const LOOK_MS = 20;
const BATCH = 1_000;
const PATIENCE_MS = 600_000;
const ACTIONS = "read,append,create_stream,export";

/** A package, and the expected result of every download. */
export interface Package {
  readonly exportId: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export interface Counts {
  kills: number;
  /** Downloads that finished. */
  finished: number;
  /** Answers that were cut off in the middle, and resumed. */
  resumed: number;
  /** Tickets that were used up by a request whose answer never came: its ETag is unknown, so a new ticket is needed. */
  lostTickets: number;
  bytes: number;
}

interface Progress {
  hash: ReturnType<typeof createHash>;
  at: number;
  etag: string | null;
}

export class KilledDownloads {
  readonly counts: Counts = { kills: 0, finished: 0, resumed: 0, lostTickets: 0, bytes: 0 };
  readonly #program: Program;
  readonly #random: Seeded;
  readonly #folder: string;
  readonly #apiKey: string;
  readonly #streamId: string;
  #running: Running;
  /** Accesses of which a client got at least one byte. */
  readonly #served = new Set<string>();

  private constructor(
    program: Program,
    random: Seeded,
    made: { folder: string; running: Running; apiKey: string; streamId: string },
  ) {
    this.#program = program;
    this.#random = random;
    this.#folder = made.folder;
    this.#running = made.running;
    this.#apiKey = made.apiKey;
    this.#streamId = made.streamId;
  }

  static async make(program: Program, random: Seeded, folder: string): Promise<KilledDownloads> {
    const init = ["init", "--origin", "chaos.example/downloads", "--data", folder, "--json"];
    const made = await program.run(init);
    must(made.code === 0, `no deployment can be made: ${made.err}`);
    const key = await program.run(["keys", "create", "--allow", ACTIONS, "--data", folder, "--json"]);
    must(key.code === 0, `no key can be made: ${key.err}`);
    const running = await program.mustStart(folder);
    const { api_key: apiKey } = JSON.parse(key.out);
    const { stream_id: streamId } = JSON.parse(made.out);
    return new KilledDownloads(program, random, { folder, running, apiKey, streamId });
  }

  /** Records so many events and has a package built of them. Throws Violation. */
  async pack(events: number): Promise<Package> {
    for (let from = 0; from < events; from += BATCH) {
      const inputs = Array.from({ length: Math.min(BATCH, events - from) }, (_, index) => ({
        source_ref: `loan-${from + index}`,
        event_type: "loan.decided",
        occurred_at: "2026-03-01T10:15:30.5+01:00",
        payload: { applicant: `A-${from + index}`, decision: "granted" },
      }));
      const path = `/v2/streams/${this.#streamId}/events/batch`;
      const body = JSON.stringify({ events: inputs });
      const answer = await write(this.#api, { path, body, idempotencyKey: `batch-${from}` });
      must(answer?.status === 201, `a batch is refused: ${answer?.text}`);
    }
    const body = JSON.stringify({ streams: [this.#streamId] });
    const asked = await write(this.#api, { path: "/v1/exports", body, idempotencyKey: "export" });
    must(asked?.status === 201, `an export is refused: ${asked?.text}`);
    const { export_id: exportId } = JSON.parse(asked.text);
    for (const giveUpAt = performance.now() + PATIENCE_MS; ; ) {
      const view = JSON.parse((await read(this.#api, `/v1/exports/${exportId}`))?.text ?? "{}");
      if (view.state === "ready") return { exportId, sizeBytes: view.package.size_bytes, sha256: view.package.sha256 };
      must(["queued", "building"].includes(view.state), `the package is ${view.state}: ${JSON.stringify(view)}`);
      must(performance.now() < giveUpAt, "the package does not become ready");
      await pause(LOOK_MS);
    }
  }

  /**
   * Downloads the package with some clients at once, over `kills` kills in all; more downloads follow up to the given
   * number. Throws Violation.
   */
  async fetch(
    wanted: Package,
    { clients, kills }: { readonly clients: number; readonly kills: number },
  ): Promise<void> {
    const goal = this.counts.kills + kills;
    const fetching = Promise.all(
      Array.from({ length: clients }, async () => {
        do await this.#download(wanted);
        while (this.counts.kills < goal);
      }),
    );
    // The await is below, and it may fail before.
    fetching.catch(() => undefined);
    while (this.counts.kills < goal) await this.#kill(wanted);
    await fetching;
    await this.#mustBeRecorded(wanted);
  }

  /** Stops the server in good order, and verifies everything. */
  async close(): Promise<void> {
    this.#running.kill("SIGTERM");
    const { code, err } = await this.#running.ended;
    must(code === 0, `the server was asked to stop, and ended with ${code}: ${err}`);
    const fsck = await this.#program.run(["fsck", "--data", this.#folder, "--json"]);
    must(fsck.code === 0, `fsck ends with ${fsck.code}: ${fsck.out}${fsck.err}`);
  }

  get #api(): Api {
    return { url: this.#running.url, apiKey: this.#apiKey };
  }

  async #kill(wanted: Package): Promise<void> {
    await pause(this.#random.number() * 300);
    this.#running.kill("SIGKILL");
    await this.#running.ended;
    this.counts.kills += 1;
    // By now an access is on disk if a client has bytes of it, or it never will be.
    const served = [...this.#served];
    this.#running = await this.#program.mustStart(this.#folder);
    const recorded = await this.#recorded(wanted);
    for (const accessId of served)
      must(recorded.get(accessId) === 1, `bytes of ${accessId} came before it was recorded, or it is recorded twice`);
  }

  /** Returns how often each access is in the lifecycle stream. */
  async #recorded({ exportId }: Package): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    const streams = JSON.parse((await this.#mustRead("/v2/streams?class=lifecycle")).text);
    const streamId = streams.items[0]?.stream_id;
    for (let cursor = ""; ; ) {
      const query = `event_type=truth_package.accessed&source_ref=${exportId}&limit=500${cursor}`;
      const page = JSON.parse((await this.#mustRead(`/v2/streams/${streamId}/events?${query}`)).text);
      for (const { stream_event_id } of page.items) {
        const { payload } = JSON.parse((await this.#mustRead(`/v2/receipts/${stream_event_id}`)).text);
        counts.set(payload.access_id, (counts.get(payload.access_id) ?? 0) + 1);
      }
      if (page.next_cursor === null) return counts;
      cursor = `&cursor=${page.next_cursor}`;
    }
  }

  async #mustBeRecorded(wanted: Package): Promise<void> {
    const recorded = await this.#recorded(wanted);
    for (const accessId of this.#served)
      must(recorded.get(accessId) === 1, `${accessId} is recorded ${recorded.get(accessId) ?? 0} times`);
    // An access without bytes is one whose answer was cut off before them.
    must(recorded.size >= this.#served.size, "there are fewer accesses than were served");
  }

  async #mustRead(path: string) {
    for (const giveUpAt = performance.now() + PATIENCE_MS; ; ) {
      const answer = await read(this.#api, path);
      if (answer?.status === 200) return answer;
      must(
        answer === null && performance.now() < giveUpAt,
        `${path} is answered with ${answer?.status}: ${answer?.text}`,
      );
      await pause(LOOK_MS);
    }
  }

  /** Runs one download from its first byte to its last, over as many tickets and kills as it takes. */
  async #download({ exportId, sizeBytes, sha256 }: Package): Promise<void> {
    const progress: Progress = { hash: createHash("sha256"), at: 0, etag: null };
    const giveUpAt = performance.now() + PATIENCE_MS;
    let path: string | null = null;
    while (progress.at < sizeBytes) {
      must(performance.now() < giveUpAt, "a download does not come to its end");
      path ??= await this.#ticket(exportId);
      if (path === null) continue;
      const before = progress.at;
      const refused = await this.#next(path, progress, sizeBytes);
      if (refused !== null) {
        // Nobody got the ETag of its first answer; a download that had begun resumes with its own ETag.
        must(refused === "ticket_used", `a download is refused: ${refused}`);
        this.counts.lostTickets += 1;
        path = null;
      } else if (progress.at > before && progress.at < sizeBytes) this.counts.resumed += 1;
    }
    const found = progress.hash.digest("hex");
    must(
      progress.at === sizeBytes && found === sha256,
      `a download of ${progress.at} bytes is ${found}, not ${sha256}`,
    );
    this.counts.finished += 1;
  }

  async #ticket(exportId: string): Promise<string | null> {
    const request = { path: `/v1/exports/${exportId}/download/prepare`, body: "", idempotencyKey: randomUUID() };
    const answer = await write(this.#api, request);
    if (answer === null) await pause(LOOK_MS);
    must(answer === null || answer.status === 201, `a ticket is refused: ${answer?.text}`);
    return answer === null ? null : JSON.parse(answer.text).path;
  }

  /** Reads the answer to one request; returns the code of a refusal, null for any other end. */
  async #next(path: string, progress: Progress, sizeBytes: number): Promise<string | null> {
    const { at, etag } = progress;
    const headers = etag === null ? {} : { range: `bytes=${at}-`, "if-range": etag };
    const answer = await this.#ask(path, headers);
    if (answer === null) {
      await pause(LOOK_MS);
      return null;
    }
    const { statusCode = 0 } = answer;
    if (statusCode >= 400) return JSON.parse(await textOf(answer)).detail?.code ?? `${statusCode}`;
    if (statusCode === 200 && at > 0) {
      // It is the whole package again, as for a different ETag: earlier bytes do not count.
      progress.hash = createHash("sha256");
      progress.at = 0;
    }
    must(
      statusCode === 200 || answer.headers["content-range"] === `bytes ${at}-${sizeBytes - 1}/${sizeBytes}`,
      `a download goes on with ${statusCode}, ${answer.headers["content-range"]}, from ${at} of ${sizeBytes}`,
    );
    progress.etag = answer.headers.etag ?? null;
    const accessId = `${answer.headers["svc-access-id"]}`;
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        this.#served.add(accessId);
        progress.hash.update(chunk);
        progress.at += chunk.length;
        this.counts.bytes += chunk.length;
        // Slow enough to be cut off.
        await pause(this.#random.number() * 20);
      }
    } catch (error) {
      // The error of a connection that is cut off.
      if ((error as NodeJS.ErrnoException).code !== "ECONNRESET") throw error;
    }
    return null;
  }

  /** Resolves to the answer; null without a server. */
  #ask(path: string, headers: Record<string, string>): Promise<IncomingMessage | null> {
    return new Promise((resolve) => {
      const sent = httpRequest(this.#running.url + path, { headers, agent: false }, resolve);
      sent.on("error", () => resolve(null));
      sent.end();
    });
  }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
