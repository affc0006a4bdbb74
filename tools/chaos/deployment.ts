/**
 * One deployment through its crashes. A round loads the server until it is killed, starts it again without help by
 * anybody, and checks everything that must hold.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Ledger } from "./ledger.ts";
import { Load } from "./load.ts";
import type { Ended, Order, Program, Running } from "./program.ts";
import { type Answer, type Api, read, type Write, write } from "./requests.ts";
import type { Seeded } from "./seeded.ts";
import { must, Violation } from "./violation.ts";

const ORIGIN = "chaos.example/evidence";
const STREAMS = 2;
/** Small, so that every round seals many. */
const WINDOW_EVENTS = 8;
const POLICY = {
  policy_id: "chaos",
  window_max_events: WINDOW_EVENTS,
  window_max_seconds: 1,
  checkpoint_max_windows: 4,
};
const ACTIONS = "read,append,create_stream,create_pack,erase";
const HOUR_MS = 3_600_000;
/**
 * How far clocks are off, in milliseconds. The lease of a killed server ends at once if the clock was set, and within
 * seconds otherwise.
 */
const CLOCKS = [0, -HOUR_MS, HOUR_MS, -24 * HOUR_MS, 24 * HOUR_MS, 2 * HOUR_MS];
/** Longer work counts as stuck. */
const PATIENCE_MS = 60_000;
/** How long a server that is ending may take for it. */
const LAST_WORDS_MS = 5_000;

/** How a server is killed: at a failpoint, at any moment under load, or while it starts. */
export type End = { readonly kind: "failpoint"; readonly failpoint: string } | { readonly kind: "moment" | "start" };

export class Deployment {
  readonly #program: Program;
  readonly #random: Seeded;
  readonly #folder: string;
  readonly #ledger: Ledger;
  readonly #load: Load;
  readonly #apiKey: string;
  readonly #streams: readonly string[];
  readonly #packedTo = new Map<string, number>();
  #running: Running;
  #rounds = 0;
  /** Requests that were repeated because they had no answer. */
  repeated = 0;

  private constructor(
    program: Program,
    random: Seeded,
    made: { folder: string; running: Running; apiKey: string; ledger: Ledger; streams: readonly string[] },
  ) {
    this.#program = program;
    this.#random = random;
    this.#folder = made.folder;
    this.#running = made.running;
    this.#apiKey = made.apiKey;
    this.#ledger = made.ledger;
    this.#streams = made.streams;
    this.#load = new Load(made.ledger, random, made.streams);
  }

  /** Makes one in a new folder, and serves it. */
  static async make(program: Program, random: Seeded, parent: string): Promise<Deployment> {
    mkdirSync(parent, { recursive: true });
    const folder = join(parent, "data");
    const made = done(await program.run(["init", "--origin", ORIGIN, "--data", folder, "--json"]));
    const policy = join(parent, "policy.json");
    writeFileSync(policy, JSON.stringify(POLICY));
    done(await program.run(["policies", "declare", "--file", policy, "--data", folder, "--json"]));
    const key = done(await program.run(["keys", "create", "--allow", ACTIONS, "--data", folder, "--json"]));
    const running = await program.mustStart(folder);
    const ledger = new Ledger(made.public_key_hex);
    const streams: string[] = [];
    for (let number = 0; number < STREAMS; number++) {
      const body = { system_id: made.system_id, use_case: "loans", policy_id: POLICY.policy_id, metadata: {} };
      const request = { path: "/v2/streams", body: JSON.stringify(body), idempotencyKey: `stream-${number}` };
      const answer = await write({ url: running.url, apiKey: key.api_key }, request);
      must(answer?.status === 201, `a stream cannot be made: ${answer?.text}`);
      streams.push(JSON.parse(answer.text).stream_id);
    }
    return new Deployment(program, random, { folder, running, apiKey: key.api_key, ledger, streams });
  }

  get receipts(): number {
    return this.#ledger.receipts;
  }

  /** Loads the server and kills it, starts it again, and checks. Throws Violation. */
  async round(end: End): Promise<void> {
    await within(`the end of the server (${JSON.stringify(end)})`, this.#loadUntil(end));
    if (end.kind === "start") await this.#endWhileStarting();
    // A clock may be set back or forward while no server runs.
    this.#running = await this.#program.mustStart(this.#folder, { clockMs: this.#random.pick(CLOCKS) });
    await within("the checks", this.#check());
  }

  /** Stops the last server in good order: everything that it answered is on disk. */
  async close(): Promise<void> {
    this.#running.kill("SIGTERM");
    const { code, err } = await this.#running.ended;
    must(code === 0, `the server was asked to stop, and ended with ${code}: ${err}`);
    await this.#fsck();
  }

  get #api(): Api {
    return { url: this.#running.url, apiKey: this.#apiKey };
  }

  async #loadUntil(end: End): Promise<void> {
    const running = this.#running;
    let answers = 0;
    const enough = this.#random.whole(1, 120);
    const afterMs = this.#random.number() * 20;
    if (end.kind === "failpoint") running.order({ kill: { failpoint: end.failpoint, nth: this.#random.whole(1, 4) } });
    await this.#load.run(this.#api, () => {
      answers += 1;
      if (answers === 60) running.order({ clockMs: this.#random.pick(CLOCKS) });
      if (answers === enough && end.kind !== "failpoint") setTimeout(() => running.kill("SIGKILL"), afterMs);
    });
    const { code, err } = await running.ended;
    must(code === null, `the server was not killed, and ended with ${code}: ${err}`);
  }

  async #endWhileStarting(): Promise<void> {
    const order: Order = { clockMs: this.#random.pick(CLOCKS) };
    const stop = new AbortController();
    const starting = this.#program.start(this.#folder, order, stop.signal);
    await pause(this.#random.number() * 600);
    stop.abort();
    await starting;
  }

  async #check(): Promise<void> {
    const ledger = this.#ledger;
    this.#rounds += 1;
    // It runs beside the server, which continues to seal. It verifies everything again, and every other round is enough
    // for that.
    const checked = this.#rounds % 2 === 0 ? this.#fsck() : null;
    // The await is below, and it may fail before.
    checked?.catch(() => undefined);
    for (const request of ledger.unanswered.splice(0)) await this.#repeat(request);
    for (const event of ledger.fresh) {
      const { text } = await this.#read(`/v2/receipts/${event.eventId}`);
      ledger.mustBe(event, text);
    }
    ledger.settle();
    for (const streamId of this.#streams) await this.#checkStream(streamId);
    await checked;
  }

  async #fsck(): Promise<void> {
    const { code, out, err } = await this.#program.run(["fsck", "--data", this.#folder, "--json"]);
    must(code === 0, `fsck ends with ${code}: ${out}${err}`);
  }

  /** Sends an unanswered request twice: it takes effect once, and both answers say so. */
  async #repeat(request: Write): Promise<void> {
    const [first, second] = [await write(this.#api, request), await write(this.#api, request)];
    if (first === null || second === null) throw await this.#unanswered(request.path);
    must(first.text === second.text, `a repeated request got two answers: ${first.text} and ${second.text}`);
    this.#ledger.take(request, first);
    this.repeated += 1;
  }

  /** Every event up to the head was sent by a client, and is in the next bundle. */
  async #checkStream(streamId: string): Promise<void> {
    const { head_seq_no: head } = JSON.parse((await this.#read(`/v2/streams/${streamId}/proof-state`)).text);
    this.#ledger.mustReach(streamId, head);
    // After this, the events of an open window are in a closed one.
    const fill = this.#load.append(streamId, WINDOW_EVENTS);
    this.#ledger.take(fill, await write(this.#api, fill));
    await this.#witnessed(streamId, head);
    const from = (this.#packedTo.get(streamId) ?? 0) + 1;
    if (head < from) return;
    const pack = this.#load.pack(streamId, from, head);
    const answer = await write(this.#api, pack);
    if (answer === null) throw await this.#unanswered(pack.path);
    must(answer.status === 201, `a pack over witnessed events is refused: ${answer.text}`);
    this.#ledger.take(pack, answer);
    this.#packedTo.set(streamId, head);
  }

  async #witnessed(streamId: string, seqNo: number): Promise<void> {
    for (;;) {
      const { text } = await this.#read(`/v2/streams/${streamId}/proof-state`);
      if (JSON.parse(text).witnessed_to_seq_no >= seqNo) return;
      await pause(10);
    }
  }

  async #read(path: string): Promise<Answer> {
    const answer = await read(this.#api, path);
    if (answer === null) throw await this.#unanswered(path);
    must(answer.status === 200, `${path} is answered with ${answer.status}: ${answer.text}`);
    return answer;
  }

  /** Resolves to the violation of a server that was not killed and gives no answer, with what has become of it. */
  async #unanswered(path: string): Promise<Violation> {
    const ended = await Promise.race([this.#running.ended, pause(LAST_WORDS_MS).then(() => null)]);
    const fate = ended === null ? "it runs" : `it ended with ${ended.code}: ${ended.err}`;
    return new Violation(`${path} gets no answer, and the server was not killed: ${fate}`);
  }
}

/** Returns the output of a command, which must have succeeded. */
function done({ code, out, err }: Ended) {
  must(code === 0, `a command ended with ${code}: ${err}`);
  return JSON.parse(out);
}

async function within<Value>(what: string, work: Promise<Value>): Promise<Value> {
  const [clock, late] = [new AbortController(), Symbol("late")];
  const first = await Promise.race([work, pause(PATIENCE_MS, late, { signal: clock.signal })]);
  clock.abort();
  must(first !== late, `${what} did not come within ${PATIENCE_MS} ms`);
  return first as Value;
}
