/**
 * Clients at work until the server is gone: appends, batches, parallel retries, packs, erasures, and readers of sealed
 * evidence.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Ledger } from "./ledger.ts";
import { type Api, read, type Write, write } from "./requests.ts";
import type { Seeded } from "./seeded.ts";
import { must } from "./violation.ts";

const WRITERS = 8;
const MAX_BATCH = 6;
/** How often a reader looks for new evidence. */
const LOOK_MS = 10;

export class Load {
  readonly #ledger: Ledger;
  readonly #random: Seeded;
  readonly #streams: readonly string[];
  #count = 0;

  constructor(ledger: Ledger, random: Seeded, streams: readonly string[]) {
    this.#ledger = ledger;
    this.#random = random;
    this.#streams = streams;
  }

  /** Works until the server is gone, or `stop` is aborted; calls `onAnswer` after each answer to a write. */
  async run(api: Api, onAnswer: () => void, stop?: AbortSignal): Promise<void> {
    let isGone = false;
    const writer = async () => {
      while (!isGone && stop?.aborted !== true) isGone = !(await this.#write(api, onAnswer)) || isGone;
    };
    const reader = async (streamId: string) => {
      while (!isGone && stop?.aborted !== true) {
        isGone = !(await this.#look(api, streamId)) || isGone;
        await pause(LOOK_MS);
      }
    };
    await Promise.all([...Array.from({ length: WRITERS }, writer), ...this.#streams.map(reader)]);
  }

  /** Returns an append of so many events; a single one is sent without a batch. */
  append(streamId: string, events: number): Write {
    const path = `/v2/streams/${streamId}/events`;
    const inputs = Array.from({ length: events }, () => this.#event());
    const [only] = inputs;
    const body = events === 1 ? only : { events: inputs };
    return this.#request("append", streamId, events === 1 ? path : `${path}/batch`, body);
  }

  pack(streamId: string, from: number, to: number): Write {
    return this.#request("pack", streamId, "/v2/audit/packs", {
      stream_id: streamId,
      from_seq_no: from,
      to_seq_no: to,
    });
  }

  /** Resolves to whether the server is still there. */
  async #write(api: Api, onAnswer: () => void): Promise<boolean> {
    const random = this.#random;
    const streamId = random.pick(this.#streams);
    const kind = random.number();
    const [request, isTwice] =
      kind < 0.03
        ? [this.#erasure(), false]
        : [this.append(streamId, kind < 0.2 ? random.whole(2, MAX_BATCH) : 1), kind > 0.95];
    if (request === null) return true;
    const sent = isTwice ? [write(api, request), write(api, request)] : [write(api, request)];
    const answers = await Promise.all(sent);
    const texts = new Set(answers.flatMap((answer) => (answer === null ? [] : [answer.text])));
    must(texts.size <= 1, `one request, sent twice at once, got two answers: ${[...texts].join(" and ")}`);
    this.#ledger.take(request, answers.find((answer) => answer !== null) ?? null);
    if (!answers.includes(null)) onAnswer();
    return !answers.includes(null);
  }

  /** Fetches the newest sealed evidence, as an auditor would keep it, and now and then a pack over it. */
  async #look(api: Api, streamId: string): Promise<boolean> {
    const state = await read(api, `/v2/streams/${streamId}/proof-state`);
    if (state === null) return false;
    const { witnessed_to_seq_no, latest_checkpoint_id, latest_window_id } = JSON.parse(state.text);
    for (const [path, id] of [
      ["checkpoints", latest_checkpoint_id],
      ["windows", latest_window_id],
    ]) {
      if (id === null) continue;
      const found = await read(api, `/v2/${path}/${id}`);
      if (found === null) return false;
      must(found.status === 200, `${id} was sealed, and is answered with ${found.status}`);
      this.#ledger.evidence(streamId, found.text);
    }
    if (witnessed_to_seq_no === 0 || this.#random.number() > 0.2) return true;
    const pack = this.pack(streamId, witnessed_to_seq_no, witnessed_to_seq_no);
    const answer = await write(api, pack);
    this.#ledger.take(pack, answer);
    return answer !== null;
  }

  /** Returns an erasure of one of the latest events, or null. */
  #erasure(): Write | null {
    const { fresh } = this.#ledger;
    if (fresh.length === 0) return null;
    const { eventId, text } = this.#random.pick(fresh);
    const streamId: string = JSON.parse(text).stream_id;
    const path = `/v2/streams/${streamId}/events/${eventId}/erase`;
    return { ...this.#request("erase", streamId, path, { reason: "a request of the person" }), eventId };
  }

  #event() {
    this.#count += 1;
    return {
      source_ref: `loan-${this.#count}`,
      event_type: "loan.decided",
      occurred_at: "2026-03-01T10:15:30.5+01:00",
      payload: { applicant: `A-${this.#count}`, decision: "granted" },
    };
  }

  #request(kind: Write["kind"], streamId: string, path: string, body: unknown): Write {
    this.#count += 1;
    return {
      kind,
      streamId,
      path,
      body: JSON.stringify(body),
      idempotencyKey: `${kind}-${this.#count}`,
      eventId: null,
    };
  }
}
