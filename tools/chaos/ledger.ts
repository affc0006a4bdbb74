/**
 * The evidence that clients of one deployment hold, over all its crashes, and what must be true of it: no number twice,
 * none left out, every receipt unchanged, no two checkpoints that contradict each other. It asks nobody anything.
 */
import {
  type Bundle,
  type Checkpoint,
  findFork,
  type Json,
  type PublicKeyHex,
  pinKeys,
  type ReceiptRecord,
  selectKernel,
  type TrustPolicy,
  verifyAll,
  type Window,
} from "../../packages/core/src/index.ts";
import type { Answer, Write } from "./requests.ts";
import { must, Violation } from "./violation.ts";

/** An event whose receipt somebody has. */
export interface KnownEvent {
  readonly eventId: string;
  readonly seqNo: number;
  readonly hash: string;
  readonly receivedAt: string;
  /** The receipt record as it came. */
  readonly text: string;
}

/** The evidence about one stream. */
interface Held {
  readonly events: Map<number, KnownEvent>;
  /** Windows and checkpoints by their texts, so that each is kept once. */
  readonly evidence: Map<string, Sealed>;
  bundle: Json;
}

type Sealed = Partial<Window> & Partial<Checkpoint>;

const kernel = selectKernel("wasm");

export class Ledger {
  readonly #trust: TrustPolicy;
  readonly #held = new Map<string, Held>();
  /** Events whose payload may be gone, or is: by whether the erasure was answered. */
  readonly #erased = new Map<string, boolean>();
  readonly unanswered: Write[] = [];
  /** Events received since this was emptied. */
  readonly fresh: KnownEvent[] = [];
  receipts = 0;

  constructor(publicKeyHex: PublicKeyHex) {
    this.#trust = pinKeys(kernel, [publicKeyHex]);
  }

  /** Adds the outcome of a request. Throws Violation. */
  take(request: Write, answer: Answer | null): void {
    const { kind, streamId, eventId } = request;
    if (eventId !== null) this.#erased.set(eventId, answer !== null || this.#erased.get(eventId) === true);
    if (answer === null) {
      this.unanswered.push(request);
      return;
    }
    const { status, text } = answer;
    must(status === 201 || status === 200, `${request.path} is answered with ${status}: ${text}`);
    if (kind === "pack") this.bundle(streamId, text);
    if (kind !== "append") return;
    const value = JSON.parse(text) as ReceiptRecord | { receipts: ReceiptRecord[] };
    for (const record of "receipts" in value ? value.receipts : [value])
      this.#receipt(record, "receipts" in value ? JSON.stringify(record) : text);
  }

  #receipt(record: ReceiptRecord, text: string): void {
    const { stream_id, seq_no: seqNo, stream_event_id: eventId, event_hash: hash, received_at: receivedAt } = record;
    const { events } = this.#of(stream_id);
    const known = events.get(seqNo);
    if (known !== undefined) {
      must(known.hash === hash, `number ${seqNo} of ${stream_id} was given out twice: ${known.text} and ${text}`);
      return;
    }
    const event = { eventId, seqNo, hash, receivedAt, text };
    events.set(seqNo, event);
    this.fresh.push(event);
    this.receipts += 1;
  }

  /** Adds a bundle: it must verify, and hold every event of its range as it was handed out. */
  bundle(streamId: string, text: string): void {
    this.#verify([text], "bundle");
    const bundle = JSON.parse(text) as Bundle;
    for (const { seq_no, event_hash } of bundle.artifacts["receipts.json"]) {
      const known = this.#of(streamId).events.get(seq_no);
      must(known === undefined || known.hash === event_hash, `a bundle has another event ${seq_no} of ${streamId}`);
    }
    const held = this.#of(streamId);
    if (held.bundle !== null) this.#mustAgree(held.bundle, bundle);
    held.bundle = bundle;
    for (const one of bundle.artifacts["windows.json"]) this.evidence(streamId, JSON.stringify(one));
    for (const one of bundle.artifacts["checkpoints.json"]) this.evidence(streamId, JSON.stringify(one));
  }

  /** Adds a window or a checkpoint: it must not contradict anything of the stream that was handed out before. */
  evidence(streamId: string, text: string): void {
    const { evidence } = this.#of(streamId);
    if (evidence.has(text)) return;
    const value = JSON.parse(text) as Sealed;
    // Checkpoints bind all windows before them. Windows contradict each other by themselves only if they have one
    // number.
    for (const other of evidence.values())
      if (other.window_no === value.window_no) this.#mustAgree(other as Json, value as Json);
    evidence.set(text, value);
  }

  #mustAgree(left: Json, right: Json): void {
    const named = { fork_id: "frk_00000000000000000000000000", detected_at: "2026-03-01T00:00:00.000Z" };
    const fork = findFork(left, right, { ...named, trust: this.#trust, kernel });
    if (fork !== null)
      throw new Violation(`two things that were handed out contradict each other: ${JSON.stringify(fork)}`);
  }

  /** Asserts that all events up to the head are known, each once: one for each that was sent, and no other. */
  mustReach(streamId: string, headSeqNo: number): void {
    const { events } = this.#of(streamId);
    let before = "";
    for (let seqNo = 1; seqNo <= headSeqNo; seqNo++) {
      const event = events.get(seqNo);
      must(event !== undefined, `event ${seqNo} of ${streamId}, whose head is ${headSeqNo}, was recorded for nobody`);
      must(event.receivedAt >= before, `event ${seqNo} of ${streamId} was received before the one before it`);
      before = event.receivedAt;
    }
    must(
      events.size === headSeqNo,
      `${events.size} events of ${streamId} were acknowledged, and its head is ${headSeqNo}`,
    );
  }

  /** Asserts that an event that was read is the one that is recorded. */
  mustHold(streamId: string, seqNo: number, hash: string): void {
    const known = this.#of(streamId).events.get(seqNo);
    must(known?.hash === hash, `event ${seqNo} of ${streamId} was read with the hash ${hash}, and is ${known?.text}`);
  }

  /** Asserts that a receipt is served as it was handed out, or without the payload that was erased. */
  mustBe({ eventId, hash, text }: KnownEvent, served: string): void {
    const erased = this.#erased.get(eventId);
    if (erased === true) must(!served.includes('"payload":'), `the payload of ${eventId} was erased, and is back`);
    if (erased === undefined) must(served === text, `the receipt of ${eventId} was ${text}, and is ${served}`);
    else must(JSON.parse(served).event_hash === hash, `the receipt of ${eventId} has another hash: ${served}`);
  }

  /** Asserts that the fresh receipts verify; then they are not fresh any more. */
  settle(): void {
    this.#verify(
      this.fresh.splice(0).map(({ text }) => text),
      "receipt",
    );
  }

  #verify(texts: readonly string[], kind: string): void {
    const items = texts.map((text) => ({ bytes: Buffer.from(text) }));
    for (const [index, report] of [...verifyAll(items, { kernel, trust: this.#trust })].entries())
      must(
        report.verdict === "verified" && report.kind === kind,
        `a ${kind} is ${report.verdict}: ${JSON.stringify(report.problems)}: ${texts[index]?.slice(0, 1000)}`,
      );
  }

  #of(streamId: string): Held {
    const held = this.#held.get(streamId) ?? { events: new Map(), evidence: new Map(), bundle: null };
    this.#held.set(streamId, held);
    return held;
  }
}
