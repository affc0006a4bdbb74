/**
 * Clients of one deployment with several servers append through all of them, each request until it is answered, and
 * readers keep all that they are shown, while one fault after another strikes. After each everything must be there.
 */
import { setTimeout as pause } from "node:timers/promises";
import { ERRORS } from "../../../packages/api/src/index.ts";
import type { PublicKeyHex } from "../../../packages/core/src/index.ts";
import { Ledger } from "../ledger.ts";
import { Load } from "../load.ts";
import { type Answer, type Api, read, type Write, write } from "../requests.ts";
import type { Seeded } from "../seeded.ts";
import { must, Violation } from "../violation.ts";
import type { Cluster } from "./cluster.ts";
import type { Servers } from "./servers.ts";

const CLIENTS = 12;
const READERS = 2;
const MAX_BATCH = 6;
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

interface Answered {
  readonly request: Write;
  readonly text: string;
}

export class Trial {
  readonly cluster: Cluster;
  readonly servers: Servers;
  readonly random: Seeded;
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

  constructor(cluster: Cluster, servers: Servers, random: Seeded) {
    this.cluster = cluster;
    this.servers = servers;
    this.random = random;
    const { publicKeyHex, streams } = servers.known;
    this.#ledger = new Ledger(publicKeyHex as PublicKeyHex);
    this.#load = new Load(this.#ledger, random, streams);
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
      await this.servers.keepLogs();
      throw error;
    }
  }

  /** Stops the servers in good order, after a look at everything. */
  async close(): Promise<void> {
    for (const streamId of this.#streams) await this.#mustBeWhole(streamId, 1);
    await this.servers.mustBeSound();
    await this.servers.close();
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

  get #streams(): readonly string[] {
    return this.servers.known.streams;
  }

  /** Any server. */
  get #api(): Api {
    return this.random.pick(this.servers.apis);
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
    for (const { url } of this.servers.apis)
      await within(`${url} is ready`, async () => (await fetch(`${url}/ready`)).status === 200);
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
      for (const api of this.servers.apis) {
        const again = await write(api, request);
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
}

/** Throws Violation for a failure that is not documented for clients. */
function mustBeDocumented(path: string, answer: Answer | null): void {
  if (answer === null || answer.status < 500) return;
  const code: string = JSON.parse(answer.text).detail?.code;
  const isKnown = Object.entries(ERRORS).some(([name, { status }]) => name === code && status === UNAVAILABLE);
  must(answer.status === UNAVAILABLE && isKnown, `${path} is answered with ${answer.status}: ${answer.text}`);
}

async function within(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Violation(`not within ${PATIENCE_MS} ms: ${what}`);
    await pause(LOOK_MS);
  }
}
