/**
 * The feeder: it has the notes of this service's logs cosigned by outside witnesses (c2sp.org/tlog-witness). Each
 * witness has its own loop, so that none waits for another. A note that a witness has not cosigned yet is an outbox
 * message about its origin; where several came together, the newest one is enough.
 */

import { createHash } from "node:crypto";
import type { Kernel, WitnessKey } from "@svc/core";
import { Egress, EgressError } from "@svc/host/egress";
import {
  anyMessageDue,
  BACK_OFF,
  enqueueNewest,
  LeasedLoop,
  type OutboxMessage,
  reachMs,
  sendDue,
} from "@svc/host/jobs";
import { perContext } from "@svc/host/per-context";
import type { Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import { failed, warned } from "../notices.ts";
import { readAnswer, requestBody } from "./add-checkpoint.ts";
import { type Fed, fed } from "./fed.ts";
import type { Cosigned, FedLog, FedNote } from "./fed-log.ts";
import { type FedWitness, feedKind, feedKindOf, submissionUrl } from "./fed-witness.ts";
import { FeedFault } from "./feed-fault.ts";
import { feedingSettings } from "./settings.ts";

/** The parts into which the origins are divided where several processes can write at a time. */
const SHARDS = 16;
/** How often a loop looks for messages of which it was not told: those that were put off, and those of others. */
const INTERVAL_MS = 500;
/** The most requests to one witness at a time. */
const MAX_AT_ONCE = 16;
/** A witness can have cosigned for another process between two requests; more often than that it is at fault. */
const MAX_REQUESTS = 3;
/** Any number of cosignature lines that a note may have, those of ML-DSA-44 among them, is smaller. */
const MAX_ANSWER_BYTES = 256 * 1024;

/** A note to be cosigned by some witnesses. */
export interface Wanted {
  readonly log: Pick<FedLog, "name">;
  /** Null for a log of the whole service. */
  readonly tenantId: string | null;
  readonly streamId: string | null;
  readonly origin: string;
  readonly treeSize: number;
}

/**
 * Asks for the cosignatures of witnesses, in the transaction that makes the note; it comes about after the commit.
 * Witnesses without an address have theirs asked for as soon as they get one. `now`: a service time.
 */
export async function wantCosigned(
  writer: Writer,
  kernel: Kernel,
  witnesses: readonly Pick<WitnessKey, "name" | "public_key_hex">[],
  { log, tenantId, streamId, origin, treeSize }: Wanted,
  now: string,
): Promise<void> {
  const kinds = [...new Set(witnesses.map((witness) => feedKindOf(kernel, witness)))];
  const payload = { log: log.name, tree_size: treeSize };
  await enqueueNewest(writer, { tenantId, kinds, subject: origin, payload, streamId }, now);
}

/** The answer of a witness that has cosigned; null if there was nothing to cosign. */
type Answered = {
  readonly log: FedLog;
  readonly note: FedNote;
  readonly cosigned: Cosigned;
  readonly seconds: number;
} | null;

/** Feeds the outside witnesses of a deployment. */
export class Feeder {
  readonly #context: Context;
  readonly #timeoutMs: number;
  readonly #egress: Egress;
  readonly #logs = new Map<string, FedLog>();
  /** The last fault of each witness; missing where its last answer was good. */
  readonly #faults = new Map<string, string>();
  /** The loops, one for each witness. */
  readonly jobs: readonly LeasedLoop[];

  constructor(context: Context) {
    const { witnesses, witnessTimeoutMs } = context.settings(feedingSettings);
    this.#context = context;
    this.#timeoutMs = witnessTimeoutMs;
    this.#egress = new Egress(
      witnesses.map(({ url }) => new URL(url).origin),
      // Several can have one host, and none may wait for another's connections.
      MAX_AT_ONCE * Math.max(1, witnesses.length),
    );
    this.jobs = witnesses.map((witness) => this.#loop(witness));
  }

  /** Feeds this log too; called before the loops start. */
  add<Note extends FedNote>(log: FedLog<Note>): void {
    // Each note comes back to the log that made it.
    this.#logs.set(log.name, log as unknown as FedLog);
  }

  /** Tells the loops that notes are waiting. */
  wake(): void {
    for (const job of this.jobs) job.wake();
  }

  /** Closes the connections. Called when the loops have stopped. */
  close(): void {
    this.#egress.close();
  }

  #loop(witness: FedWitness): LeasedLoop {
    const { channel, database } = this.#context;
    const kind = feedKind(witness);
    const pace = { longestMs: this.#timeoutMs, schedule: BACK_OFF };
    return new LeasedLoop(this.#context, {
      // A key name can have any character in it, and the names of leases cannot.
      jobName: `feeder-${createHash("sha256").update(kind).digest("hex").slice(0, 16)}`,
      shards: database.maxWriters > 1 ? SHARDS : 1,
      intervalMs: INTERVAL_MS,
      onError: (error) => channel.publish(failed, error),
      hasWork: (isOwn) => anyMessageDue(this.#context, kind, isOwn, reachMs(pace)),
      work: (lease, stop) =>
        sendDue<Answered>(this.#context, kind, lease, stop, {
          atOnce: MAX_AT_ONCE,
          ...pace,
          send: (message, signal) => this.#send(witness, message, signal),
          store: async (writer, message, answered) => {
            if (answered !== null) await answered.log.keep(writer, message, answered.note, answered.cosigned);
          },
          onDone: (_message, answered) => {
            if (answered === null) return;
            this.#note(witness, { outcome: "cosigned", seconds: answered.seconds }, null);
            answered.log.onKept(answered.note);
          },
          onPutOff: (error) => {
            const isOurs = !(error instanceof FeedFault);
            if (isOurs) channel.publish(failed, error);
            this.#note(witness, { outcome: isOurs ? "internal" : error.code, seconds: 0 }, (error as Error).message);
          },
        }),
    });
  }

  async #send(witness: FedWitness, message: OutboxMessage, signal: AbortSignal): Promise<Answered> {
    const { database } = this.#context;
    const begun = performance.now();
    const { log: name } = JSON.parse(message.payload) as { readonly log: string };
    const log = this.#logs.get(name);
    if (log === undefined) throw new Error(`the message about ${message.subject} is of a log ${name} that is not fed`);
    const note = await database.read((reader) => log.newest(reader, message, witness));
    if (note === null) return null;
    const cosigned = await this.#ask(witness, log, note, signal);
    return { log, note, cosigned, seconds: (performance.now() - begun) / 1000 };
  }

  /** Resolves to the cosignature. Rejects with FeedFault. */
  async #ask(witness: FedWitness, log: FedLog, note: FedNote, signal: AbortSignal): Promise<Cosigned> {
    const { kernel, clock } = this.#context;
    // One time for all requests: nobody else takes the note meanwhile.
    const deadline = performance.now() + this.#timeoutMs;
    let oldSize = note.probableSize;
    for (let request = 0; request < MAX_REQUESTS; request++) {
      const body = requestBody(oldSize, await this.#proof(log, note, oldSize), note.note);
      const answer = await this.#post(witness, body, deadline, signal);
      const read = readAnswer(kernel, { witness, note, oldSize, now: clock() }, answer);
      if (!("size" in read)) return read;
      oldSize = read.size;
    }
    throw new FeedFault("size_unsettled", `it answered 409 to ${MAX_REQUESTS} requests, the last one with ${oldSize}`);
  }

  async #proof(log: FedLog, note: FedNote, oldSize: number) {
    if (oldSize === 0 || oldSize === note.treeSize) return [];
    const proof = await this.#context.database.read((reader) => log.prove(reader, note, oldSize));
    if (proof === null)
      throw new FeedFault(
        "size_unknown",
        `it has cosigned ${oldSize} leaves of ${note.origin}, and no note here is over so many. The database was ` +
          `changed, or is not the one that was cosigned.`,
      );
    return proof;
  }

  async #post(witness: FedWitness, body: string, deadline: number, signal: AbortSignal) {
    try {
      return await this.#egress.send({
        url: submissionUrl(witness),
        method: "POST",
        headers: { "content-type": "text/plain; charset=utf-8" },
        body,
        timeoutMs: Math.max(1, Math.ceil(deadline - performance.now())),
        maxAnswerBytes: MAX_ANSWER_BYTES,
        signal,
      });
    } catch (error) {
      if (error instanceof EgressError) throw new FeedFault(error.fault, error.message, { cause: error });
      throw error;
    }
  }

  /** Tells of a try; of a fault in words where it is another than the one before, and of its end. */
  #note(witness: FedWitness, { outcome, seconds }: Omit<Fed, "witness">, fault: string | null): void {
    const { channel } = this.#context;
    const { name } = witness;
    channel.publish(fed, { witness: name, outcome, seconds });
    const key = feedKind(witness);
    if (fault === null) {
      if (this.#faults.delete(key)) channel.publish(warned, `The witness ${name} cosigns again.`);
      return;
    }
    if (this.#faults.get(key) === outcome) return;
    this.#faults.set(key, outcome);
    channel.publish(warned, `The witness ${name} has not cosigned, and is asked again: ${fault}`);
  }
}

/** The feeder of a deployment. */
export const feederOf = perContext((context: Context) => new Feeder(context));
