/**
 * One deployment, served by three servers over one PostgreSQL cluster. Clients append through all of them, each request
 * until it is answered, and readers keep what they are shown, while one fault after another strikes.
 */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ERRORS } from "../../../packages/api/src/index.ts";
import { Ledger } from "../ledger.ts";
import { Load } from "../load.ts";
import type { Ended, Program, Running } from "../program.ts";
import { type Answer, type Api, read, type Write, write } from "../requests.ts";
import type { Seeded } from "../seeded.ts";
import { must, Violation } from "../violation.ts";
import type { Cluster } from "./cluster.ts";

const ORIGIN = "chaos.example/store";
export const SERVERS = 3;
const STREAMS = 12;
const CLIENTS = 12;
const READERS = 2;
const MAX_BATCH = 6;
const POLICY = { policy_id: "chaos", window_max_events: 16, window_max_seconds: 1, checkpoint_max_windows: 8 };
/** How long a client waits before it sends again, to any server. */
const CLIENT_MS = 3_000;
const LOOK_MS = 20;
/** Longer work counts as stuck. */
const PATIENCE_MS = 90_000;
/** So many requests of a round are sent again to each server. */
const SENT_AGAIN = 20;
const UNAVAILABLE = 503;

/** Does its harm, sees what comes of it, and ends it. */
export type Fault = (trial: Trial) => Promise<void>;

/** One of the servers: its folder, and the process that serves it. */
interface Server {
  readonly folder: string;
  readonly program: Program;
  running: Running;
}

interface Answered {
  readonly request: Write;
  readonly text: string;
}

export class Trial {
  readonly cluster: Cluster;
  readonly random: Seeded;
  readonly #folder: string;
  readonly #servers: readonly Server[];
  readonly #apiKey: string;
  readonly #streams: readonly string[];
  readonly #ledger: Ledger;
  readonly #load: Load;
  readonly #answered: Answered[] = [];
  /** The hashes of heads that were read, by stream and number. */
  readonly #heads = new Map<string, Map<number, string>>();
  /** By stream: where the packs of this round begin, and those of the next one. */
  readonly #packedTo = new Map<string, { readonly before: number; readonly last: number }>();
  /** Answers to requests that append, and refusals and silences, since the beginning. */
  answers = 0;
  refusals = 0;

  private constructor(
    cluster: Cluster,
    random: Seeded,
    made: { folder: string; servers: readonly Server[]; apiKey: string; ledger: Ledger },
    streams: readonly string[],
  ) {
    this.cluster = cluster;
    this.random = random;
    this.#folder = made.folder;
    this.#servers = made.servers;
    this.#apiKey = made.apiKey;
    this.#ledger = made.ledger;
    this.#streams = streams;
    this.#load = new Load(made.ledger, random, streams);
  }

  /** Makes a deployment in a new folder and on a new database, and serves it. */
  static async make(program: Program, random: Seeded, cluster: Cluster, folder: string): Promise<Trial> {
    mkdirSync(folder, { recursive: true });
    const database = new URL(await cluster.primary.newDatabase()).pathname.slice(1);
    const exports = join(folder, "exports");
    const places = Array.from({ length: SERVERS }, (_, way) => ({
      folder: join(folder, `data-${way}`),
      program: program.under(["env", `SVC_DATABASE_URL=${cluster.url(way, database)}`, `SVC_EXPORTS=${exports}`]),
    }));
    const [first] = places;
    if (first === undefined) throw new RangeError("there is no server");
    const command = async (...words: string[]) =>
      done(await first.program.run([...words, "--data", first.folder, "--json"]));
    const made = await command("init", "--origin", ORIGIN);
    const policy = join(folder, "policy.json");
    writeFileSync(policy, JSON.stringify(POLICY));
    await command("policies", "declare", "--file", policy);
    for (const other of places.slice(1)) cpSync(first.folder, other.folder, { recursive: true });
    const servers: Server[] = [];
    for (const place of places) servers.push({ ...place, running: await place.program.mustStart(place.folder) });
    const api = { url: servers[0]?.running.url ?? "", apiKey: made.api_key };
    const streams = await makeStreams(api, made.system_id);
    const ledger = new Ledger(made.public_key_hex);
    return new Trial(cluster, random, { folder, servers, apiKey: made.api_key, ledger }, streams);
  }

  get receipts(): number {
    return this.#ledger.receipts;
  }

  /** Loads the servers while a fault strikes, and checks. Throws Violation. */
  async round(fault: Fault): Promise<void> {
    try {
      await this.#loadDuring(fault);
      await this.#check();
    } catch (error) {
      await this.#keepLogs();
      throw error;
    }
  }

  /** Stops the servers in good order, after a look at everything. */
  async close(): Promise<void> {
    for (const streamId of this.#streams) await this.#mustBeWhole(streamId, 1);
    await this.mustBeSound();
    for (const { running } of this.#servers) running.kill("SIGTERM");
    for (const { running } of this.#servers) {
      const { code, err } = await running.ended;
      must(code === 0, `a server was asked to stop, and ended with ${code}: ${err}`);
    }
  }

  /** Throws Violation unless fsck finds every row in order. */
  async mustBeSound(): Promise<void> {
    const { folder, program } = this.#server(0);
    const { code, out, err } = await program.run(["fsck", "--data", folder, "--json"]);
    must(code === 0, `fsck ends with ${code}: ${out}${err}`);
  }

  /** Returns the process of a server. */
  process(server: number): Running {
    return this.#server(server).running;
  }

  /** Kills a server, waits as told, and starts it again. */
  async restart(number: number, meanwhile: () => Promise<void>): Promise<void> {
    const server = this.#server(number);
    server.running.kill("SIGKILL");
    await server.running.ended;
    await meanwhile();
    server.running = await server.program.mustStart(server.folder);
  }

  /** Resolves when clients have got so many more answers, or refusals. */
  async answered(more: number): Promise<void> {
    const goal = this.answers + more;
    await within("clients are answered", async () => this.answers >= goal);
  }

  async refused(more: number): Promise<void> {
    const goal = this.refusals + more;
    await within("clients are refused", async () => this.refusals >= goal);
  }

  #server(number: number): Server {
    const server = this.#servers[number];
    if (server === undefined) throw new RangeError(`there is no server ${number}`);
    return server;
  }

  /** Any server. */
  get #api(): Api {
    return { url: this.random.pick(this.#servers).running.url, apiKey: this.#apiKey };
  }

  async #loadDuring(fault: Fault): Promise<void> {
    const over = new AbortController();
    const clients = [
      ...Array.from({ length: CLIENTS }, () => this.#append(over.signal)),
      ...Array.from({ length: READERS }, () => this.#look(over.signal)),
    ];
    const all = Promise.all(clients);
    const strike = async () => {
      await this.answered(this.random.whole(CLIENTS, 10 * CLIENTS));
      await fault(this);
      await this.answered(2 * CLIENTS);
    };
    try {
      // A violation that a client sees ends the round at once.
      await Promise.race([strike(), all]);
    } finally {
      over.abort();
    }
    await all;
  }

  /** Appends one event or batch after another; each is sent until it is answered, under its one key. */
  async #append(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const count = this.random.number() < 0.2 ? this.random.whole(2, MAX_BATCH) : 1;
      const request = this.#load.append(this.random.pick(this.#streams), count);
      const answer = await this.#answerTo(request);
      this.#ledger.take(request, answer);
      this.#answered.push({ request, text: answer.text });
      this.answers += 1;
    }
  }

  async #answerTo(request: Write): Promise<Answer> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await write(this.#api, request, AbortSignal.timeout(CLIENT_MS));
      if (answer !== null && answer.status < 500) return answer;
      mustBeDocumented(request.path, answer);
      this.refusals += 1;
      must(performance.now() < giveUpAt, `${request.path} is not answered any more: ${answer?.text}`);
      await pause(LOOK_MS);
    }
  }

  /** Keeps the heads and the sealed evidence that any server shows. */
  async #look(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const streamId = this.random.pick(this.#streams);
      const head = await this.#ask(`/v2/streams/${streamId}/head`);
      if (head?.status === 200) this.#noteHead(streamId, head.text);
      const state = await this.#ask(`/v2/streams/${streamId}/proof-state`);
      if (state?.status === 200) {
        const { latest_checkpoint_id, latest_window_id } = JSON.parse(state.text);
        await this.#keep(streamId, "checkpoints", latest_checkpoint_id);
        await this.#keep(streamId, "windows", latest_window_id);
      }
      await pause(LOOK_MS);
    }
  }

  async #keep(streamId: string, kind: string, id: string | null): Promise<void> {
    if (id === null) return;
    const found = await this.#ask(`/v2/${kind}/${id}`);
    if (found === null || found.status === UNAVAILABLE) return;
    must(found.status === 200, `${id} was sealed, and is answered with ${found.status}: ${found.text}`);
    this.#ledger.evidence(streamId, found.text);
  }

  #noteHead(streamId: string, text: string): void {
    const { seq_no, event_hash } = JSON.parse(text);
    const heads = this.#heads.get(streamId) ?? new Map<number, string>();
    this.#heads.set(streamId, heads.set(seq_no, heads.get(seq_no) ?? event_hash));
    must(heads.get(seq_no) === event_hash, `event ${seq_no} of ${streamId} was read with two hashes: ${text}`);
  }

  /** Resolves to the answer of any server; null if none came in time. */
  async #ask(path: string): Promise<Answer | null> {
    const answer = await read(this.#api, path, AbortSignal.timeout(CLIENT_MS));
    mustBeDocumented(path, answer);
    return answer;
  }

  /** Resolves to an answer that is no 503. */
  async #told(path: string): Promise<Answer> {
    let answer: Answer | null = null;
    await within(`${path} is answered`, async () => {
      answer = await this.#ask(path);
      return answer !== null && answer.status !== UNAVAILABLE;
    });
    return answer ?? { status: 0, text: "" };
  }

  async #check(): Promise<void> {
    for (const { running } of this.#servers)
      await within(`${running.url} is ready`, async () => (await fetch(`${running.url}/ready`)).status === 200);
    await this.#mustAnswerAgain();
    const { fresh } = this.#ledger;
    for (let count = Math.min(SENT_AGAIN, fresh.length); count > 0; count--) {
      const event = this.random.pick(fresh);
      this.#ledger.mustBe(event, (await this.#told(`/v2/receipts/${event.eventId}`)).text);
    }
    this.#ledger.settle();
    for (const streamId of this.#streams) {
      const { before, last } = this.#packedTo.get(streamId) ?? { before: 1, last: 1 };
      const head = await this.#mustBeWhole(streamId, before);
      this.#packedTo.set(streamId, { before: last, last: Math.max(1, head) });
    }
  }

  /** A request that is repeated gets the first answer from every server. */
  async #mustAnswerAgain(): Promise<void> {
    const answered = this.#answered.splice(0);
    for (let count = Math.min(SENT_AGAIN, answered.length); count > 0; count--) {
      const { request, text } = this.random.pick(answered);
      for (const { running } of this.#servers) {
        const again = await write({ url: running.url, apiKey: this.#apiKey }, request);
        must(again?.text === text, `a repeated request was answered with ${text}, and then with ${again?.text}`);
      }
    }
  }

  /** Every event up to the head was sent by a client, and from a number on is in a bundle that verifies. */
  async #mustBeWhole(streamId: string, from: number): Promise<number> {
    const stateOf = async () => JSON.parse((await this.#told(`/v2/streams/${streamId}/proof-state`)).text);
    const { head_seq_no: head } = await stateOf();
    this.#ledger.mustReach(streamId, head);
    for (const [seqNo, hash] of this.#heads.get(streamId) ?? []) this.#ledger.mustHold(streamId, seqNo, hash);
    await within("what was recorded is witnessed", async () => (await stateOf()).witnessed_to_seq_no >= head);
    if (head < from) return head;
    const pack = this.#load.pack(streamId, from, head);
    const answer = await this.#answerTo(pack);
    this.#ledger.take(pack, answer);
    const receipts: readonly { readonly seq_no: number }[] = JSON.parse(answer.text).artifacts["receipts.json"];
    const held = new Set(receipts.map(({ seq_no }) => seq_no));
    for (let seqNo = from; seqNo <= head; seqNo++)
      must(held.has(seqNo), `a bundle of ${streamId} from ${from} to ${head} is without event ${seqNo}`);
    return head;
  }

  async #keepLogs(): Promise<void> {
    for (const [number, { running }] of this.#servers.entries()) {
      running.kill("SIGKILL");
      running.kill("SIGCONT");
      writeFileSync(join(this.#folder, `server-${number}.log`), (await running.ended).err);
    }
  }
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

/** Throws Violation for a failure that no client was told to expect. */
function mustBeDocumented(path: string, answer: Answer | null): void {
  if (answer === null || answer.status < 500) return;
  const code: string = JSON.parse(answer.text).detail?.code;
  const isKnown = Object.entries(ERRORS).some(([name, { status }]) => name === code && status === UNAVAILABLE);
  must(answer.status === UNAVAILABLE && isKnown, `${path} is answered with ${answer.status}: ${answer.text}`);
}

/** Returns the output of a command, which must have succeeded. */
function done({ code, out, err }: Ended) {
  must(code === 0, `a command ended with ${code}: ${err}`);
  return JSON.parse(out);
}

async function within(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Violation(`not within ${PATIENCE_MS} ms: ${what}`);
    await pause(LOOK_MS);
  }
}
