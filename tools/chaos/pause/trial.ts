/**
 * One server that is stopped like a laptop whose lid is closed, at a failpoint or at any moment, and later continues as
 * if nothing had happened. Meanwhile its leases expire, commands work on its database, and its clients lose patience
 * and send again.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { Ledger } from "../ledger.ts";
import { Load } from "../load.ts";
import type { Program, Running } from "../program.ts";
import { type Answer, type Api, read, type Write, write } from "../requests.ts";
import type { Seeded } from "../seeded.ts";
import { must } from "../violation.ts";

const WRITERS = 8;
const STREAMS = 2;
/** How long a client waits before it sends again. */
const CLIENT_MS = 2_000;
const LOOK_MS = 20;
/** Longer work counts as stuck, beyond the pause itself. */
const PATIENCE_MS = 120_000;
const VERIFY_BYTES = 600_000;
const POLICY = { policy_id: "default" };
/** Beside a server that holds the database in the middle of a commit, a writing command is refused; all others work. */
const COMMANDS: readonly { readonly words: readonly string[]; readonly writes: boolean }[] = [
  { words: ["fsck"], writes: false },
  { words: ["doctor"], writes: false },
  { words: ["audit-log"], writes: false },
  { words: ["keys", "create"], writes: true },
];

export interface Counts {
  receipts: number;
  sentAgain: number;
  commandsRefused: number;
  /** The results of bodies that were under way when the server was stopped, and whole when it continued. */
  readonly bodies: Record<string, number>;
}

export class Pausing {
  readonly counts: Counts = { receipts: 0, sentAgain: 0, commandsRefused: 0, bodies: {} };
  readonly #program: Program;
  readonly #random: Seeded;
  readonly #folder: string;
  readonly #running: Running;
  readonly #api: Api;
  readonly #streams: readonly string[];
  readonly #ledger: Ledger;
  readonly #load: Load;
  #number = 0;

  private constructor(
    program: Program,
    random: Seeded,
    made: { folder: string; running: Running; apiKey: string; publicKeyHex: string; streams: readonly string[] },
  ) {
    this.#program = program;
    this.#random = random;
    this.#folder = made.folder;
    this.#running = made.running;
    this.#api = { url: made.running.url, apiKey: made.apiKey };
    this.#streams = made.streams;
    this.#ledger = new Ledger(made.publicKeyHex as never);
    this.#load = new Load(this.#ledger, random, made.streams);
  }

  static async make(program: Program, random: Seeded, folder: string): Promise<Pausing> {
    const { code, out, err } = await program.run([
      "init",
      "--origin",
      "chaos.example/pause",
      "--data",
      folder,
      "--json",
    ]);
    must(code === 0, `no deployment can be made: ${err}`);
    const { api_key: apiKey, public_key_hex: publicKeyHex, system_id } = JSON.parse(out);
    const running = await program.mustStart(folder);
    const streams: string[] = [];
    for (let number = 0; number < STREAMS; number++) {
      const body = JSON.stringify({ system_id, use_case: "loans", ...POLICY, metadata: {} });
      const path = "/v2/streams";
      const answer = await write({ url: running.url, apiKey }, { path, body, idempotencyKey: `stream-${number}` });
      must(answer?.status === 201, `a stream cannot be made: ${answer?.text}`);
      streams.push(JSON.parse(answer.text).stream_id);
    }
    return new Pausing(program, random, { folder, running, apiKey, publicKeyHex, streams });
  }

  /** Stops the server at a failpoint, or at any moment for null, for so long; then checks. Throws Violation. */
  async round(failpoint: string | null, pauseMs: number): Promise<void> {
    this.#number += 1;
    const done = new AbortController();
    const writers = Array.from({ length: WRITERS }, () => this.#writeUntil(done.signal));
    // Their errors are thrown below.
    for (const one of writers) one.catch(() => undefined);
    const slow = await this.#beginBody();
    const ticket = await this.#ticket();
    await this.#stop(failpoint);
    slow.finish();
    const resumeAt = performance.now() + pauseMs;
    try {
      await this.#useCommands();
      await pause(Math.max(0, resumeAt - performance.now()));
    } finally {
      process.kill(this.#running.pid, "SIGCONT");
    }
    // Two more of every client, so that each was answered after the pause.
    const goal = this.counts.receipts + 2 * WRITERS;
    await this.#until("clients are answered again", async () => this.counts.receipts >= goal);
    done.abort();
    await Promise.all(writers);
    const status = `${await slow.status}`;
    this.counts.bodies[status] = (this.counts.bodies[status] ?? 0) + 1;
    await this.#follow(ticket);
    await this.#check();
  }

  /** Stops the server in good order. */
  async close(): Promise<void> {
    this.#running.kill("SIGTERM");
    const { code, err } = await this.#running.ended;
    must(code === 0, `the server was asked to stop, and ended with ${code}: ${err}`);
    await this.#mustBeSound();
  }

  /** Appends one event after another; each is sent until it is answered, under its one key. */
  async #writeUntil(done: AbortSignal): Promise<void> {
    while (!done.aborted) {
      const count = this.#random.number() < 0.2 ? this.#random.whole(2, 6) : 1;
      const request = this.#load.append(this.#random.pick(this.#streams), count);
      this.#ledger.take(request, await this.#answerTo(request));
      this.counts.receipts += count;
      await pause(LOOK_MS);
    }
  }

  async #answerTo(request: Write): Promise<Answer> {
    const giveUpAt = performance.now() + PATIENCE_MS + this.#pauseAllowance;
    for (;;) {
      const answer = await write(this.#api, request, AbortSignal.timeout(CLIENT_MS));
      if (answer !== null && answer.status < 500) return answer;
      this.counts.sentAgain += 1;
      must(performance.now() < giveUpAt, `${request.path} is not answered any more: ${answer?.text}`);
      await pause(LOOK_MS);
    }
  }

  /** Longer than any requested pause. */
  #pauseAllowance = 0;
  allow(pauseMs: number): void {
    this.#pauseAllowance = pauseMs;
  }

  async #stop(failpoint: string | null): Promise<void> {
    if (failpoint === null) this.#running.kill("SIGSTOP");
    else this.#running.order({ kill: { failpoint, nth: this.#random.whole(1, 3), signal: "SIGSTOP" } });
    await this.#until(`the server is stopped${failpoint === null ? "" : ` at "${failpoint}"`}`, async () =>
      // The state comes behind the program's name, which may contain anything.
      / T /.test(readFileSync(`/proc/${this.#running.pid}/stat`, "latin1").replace(/^.*\)/s, "")),
    );
  }

  async #useCommands(): Promise<void> {
    for (const { words, writes } of COMMANDS) {
      const { code, out, err } = await this.#program.run([...words, "--data", this.#folder, "--json"]);
      // A port without an answer is a finding of doctor's, and no fault.
      if (code === 0 || words[0] === "doctor") continue;
      must(writes && /another process holds it/.test(err), `${words.join(" ")} ends with ${code}: ${out}${err}`);
      this.counts.commandsRefused += 1;
    }
  }

  /** Begins a body to verify before the pause, and sends the rest during it. */
  async #beginBody(): Promise<{ finish: () => void; status: Promise<number | null> }> {
    const body = Buffer.from(JSON.stringify({ padding: "x".repeat(VERIFY_BYTES) }));
    const headers = { "content-type": "application/json", "content-length": body.length };
    const sent = httpRequest(`${this.#api.url}/v2/verify`, { method: "POST", headers });
    const status = new Promise<number | null>((resolve) => {
      sent.on("response", (response) => resolve(response.resume().statusCode ?? null));
      sent.on("error", () => resolve(null));
    });
    await new Promise((resolve) => sent.write(body.subarray(0, VERIFY_BYTES / 2), resolve));
    return { finish: () => sent.end(body.subarray(VERIFY_BYTES / 2)), status };
  }

  /** Resolves to a ticket for a package of the first stream, issued before the pause. */
  async #ticket(): Promise<{ readonly path: string; readonly sha256: string } | null> {
    const [streamId = ""] = this.#streams;
    const body = JSON.stringify({ streams: [streamId], payloads: "redacted" });
    const key = `export-${this.#number}`;
    const asked = await write(this.#api, { path: "/v1/exports", body, idempotencyKey: key });
    // A stream without events cannot be exported, and a tenant has a limited number of packages.
    if (asked?.status !== 201) return null;
    const path = `/v1/exports/${JSON.parse(asked.text).export_id}`;
    await this.#until(
      "a package is ready",
      async () => JSON.parse((await read(this.#api, path))?.text ?? "{}").state === "ready",
    );
    const prepared = await write(this.#api, {
      path: `${path}/download/prepare`,
      body: "",
      idempotencyKey: `${key}-ticket`,
    });
    must(prepared?.status === 201, `a download is refused: ${prepared?.text}`);
    return JSON.parse(prepared.text);
  }

  async #follow(ticket: { readonly path: string; readonly sha256: string } | null): Promise<void> {
    if (ticket === null) return;
    let found: { readonly status: number; readonly bytes: Buffer } | null = null;
    // The server may have closed a kept connection meanwhile; the client notices at its next use.
    await this.#until("a download is answered", async () => {
      found = await fetch(this.#api.url + ticket.path)
        .then(async (answer) => ({ status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }))
        .catch(() => null);
      return found !== null;
    });
    const { status, bytes } = found ?? { status: 0, bytes: Buffer.alloc(0) };
    must(status === 200, `a ticket that is in time is answered with ${status}: ${bytes.subarray(0, 500)}`);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    must(sha256 === ticket.sha256, "a package is not what its ticket says");
  }

  /** Nothing is lost, doubled or forked, and sealing continues. */
  async #check(): Promise<void> {
    const ledger = this.#ledger;
    for (const event of ledger.fresh) {
      const answer = await read(this.#api, `/v2/receipts/${event.eventId}`);
      ledger.mustBe(event, answer?.text ?? "");
    }
    ledger.settle();
    for (const streamId of this.#streams) {
      const state = async () =>
        JSON.parse((await read(this.#api, `/v2/streams/${streamId}/proof-state`))?.text ?? "{}");
      const { head_seq_no: head } = await state();
      ledger.mustReach(streamId, head);
      await this.#until("what was recorded is witnessed", async () => (await state()).witnessed_to_seq_no >= head);
      if (head === 0) continue;
      const from = Math.max(1, head - 50);
      const pack = this.#load.pack(streamId, from, head);
      ledger.take(pack, await this.#answerTo(pack));
    }
    await this.#mustBeSound();
  }

  async #mustBeSound(): Promise<void> {
    const { code, out, err } = await this.#program.run(["fsck", "--data", this.#folder, "--json"]);
    must(code === 0, `fsck ends with ${code}: ${out}${err}`);
  }

  async #until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    while (!(await isSo())) {
      must(performance.now() < giveUpAt, `not within ${PATIENCE_MS} ms: ${what}`);
      await pause(LOOK_MS);
    }
  }
}
