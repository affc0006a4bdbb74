/**
 * Every receipt that leaves the client holds: against itself, the pinned keys, the event that was sent, and everything
 * that the client has seen of the stream. The protocol's own verifier judges each run of records; this module compares
 * it with what was sent and seen.
 */
import type { Page } from "@svc/api";
import type {
  EventInput,
  KeyEndorsement,
  ReceiptRecord,
  RedactedRecord,
  Report,
  TrustPolicy,
  VerifyOptions,
} from "@svc/core";
import { SvcError, type Untruth, VerificationError } from "../error.ts";

import { parseAnswer, type Transport, type WriteOptions } from "../transport.ts";
import { loadVerifier } from "../verifier/load-verifier.ts";
import type { KnownEvents } from "./known-events.ts";
import { KnownStreams } from "./known-streams.ts";

/** Which receipts to accept. */
export interface ReceiptOptions {
  /**
   * Whose receipts you accept (protocol section 16). Its pins come from you, never from the service. Keys endorsed by a
   * pinned one count too; the client asks the service for endorsements if a receipt needs them. With a policy, the
   * client refuses a receipt that is not `verified`. Without one it trusts nobody, and calls nothing verified: it still
   * checks shape, hashes, chain and numbers, and that the receipt says what was sent, but not who signed it. Only
   * `signers`, `revoked` and the logs of the quorum count here: a new receipt cannot have more evidence yet.
   */
  readonly trust?: VerifyOptions["trust"];
  /**
   * How to treat numbers between the newest event that the client knows and a new receipt. `read`, the default: the
   * client reads these events, and they must chain, unless there are more than 1000. `accept`: the client believes in
   * the other writers.
   */
  readonly gaps?: "read" | "accept";
}

/** Events that are sent, and how to read the answer. */
export interface Recording {
  readonly path: string;
  /** The body. */
  readonly text: string;
  /** The stream of the events; null if the service chooses it. */
  readonly streamId: string | null;
  /** Whether the body is a batch of events of the stream, which `StreamClient.appendBatch` sends. */
  readonly isBatch?: boolean;
  /** The stream that the events will probably go to. */
  readonly likelyStreamId?: string | null;
  /** Returns the events of the body, parsed from the text that was sent. */
  readonly events: (body: never) => readonly EventInput[];
  /** Returns the receipts of the answer. */
  readonly receipts: (answer: never) => unknown;
}

/** The facts with which a run of records must agree. */
interface Expectations {
  /** The stream of the run; any stream if it is missing. */
  readonly streamId?: string | null;
  /** The event behind which its events must be, if they are of that stream; null if old ones are as good. */
  readonly after?: Place | null;
  /** The events that were sent, one for each record. */
  readonly sent?: readonly EventInput[];
  /** The record before the run. */
  readonly before?: RedactedRecord | null;
  /** Whether the run continues the stream: gaps before it are closed, and it is remembered. */
  readonly goesOn?: boolean;
}

/** An event's place. */
interface Place {
  readonly streamId: string;
  readonly seqNo: number;
}

/** The events between the newest one known and a new one; both ends included. */
interface Gap {
  readonly from: number;
  readonly to: number;
}

const MAX_GAP_EVENTS = 1000;
const MAX_PAGE_ITEMS = 500;
/** Each costs a signature check with every receipt: thousands would stop a program. */
const MAX_ENDORSEMENTS = 256;

export class Receipts {
  readonly #transport: Transport;
  readonly #options: ReceiptOptions;
  readonly #known = new KnownStreams();
  #trust: Promise<TrustPolicy> | null = null;
  /** The endorsements that a good receipt needed. */
  #endorsements: readonly KeyEndorsement[] = [];

  constructor(transport: Transport, options: ReceiptOptions) {
    this.#transport = transport;
    this.#options = options;
  }

  /** The verdict of the receipts that are returned. */
  get verdict(): "verified" | "untrusted" {
    return this.#options.trust === undefined ? "untrusted" : "verified";
  }

  /** Returns what has been seen of a stream. */
  of(streamId: string): KnownEvents {
    return this.#known.of(streamId);
  }

  /**
   * Sends events, and resolves to their receipts, which hold. Rejects with the errors of Transport, and with
   * VerificationError.
   */
  async record(recording: Recording, options: WriteOptions): Promise<ReceiptRecord[]> {
    const receipts = await this.send(recording, options);
    return receipts();
  }

  /**
   * Sends events. Resolves when the answer has come, to a function that checks its receipts and resolves to them: so
   * more can be sent meanwhile, and answers are checked in their order. Rejects with the errors of Transport; the
   * function also rejects with VerificationError.
   */
  async send(recording: Recording, options: WriteOptions): Promise<() => Promise<ReceiptRecord[]>> {
    const { path, text, streamId, isBatch = false, likelyStreamId = streamId, events, receipts } = recording;
    await this.#pins();
    // Under a key of the caller's the service repeats its first answer, whatever has been recorded since.
    const isNew = options.idempotencyKey === undefined;
    const seqNo = likelyStreamId === null ? null : this.of(likelyStreamId).head;
    const after = isNew && likelyStreamId !== null && seqNo !== null ? { streamId: likelyStreamId, seqNo } : null;
    const key = options.idempotencyKey ?? globalThis.crypto.randomUUID();
    const bytes = await this.#transport.writeBytes(path, text, { ...options, idempotencyKey: key });
    return async () => {
      try {
        const request = new TextEncoder().encode(text);
        const good = isBatch && streamId !== null ? await this.#readBatch(streamId, request, bytes) : null;
        if (good !== null) return good;
        const answer = await parseAnswer<unknown>(path, bytes);
        const sent = events((await parseAnswer<unknown>(path, request)) as never);
        const records = requireCount(receipts(answer as never), sent.length, answer);
        return await this.check(records, { streamId, after, sent, goesOn: true }, answer, options.signal);
      } catch (error) {
        if (error instanceof SvcError) error.idempotencyKey = key;
        throw error;
      }
    };
  }

  /**
   * Resolves to the receipts of a batch that continues what is known of its stream, if all of them hold; null for any
   * other, and `check` says then what is wrong with it, if anything is.
   */
  async #readBatch(streamId: string, request: Uint8Array, answer: Uint8Array): Promise<ReceiptRecord[] | null> {
    const { readRecorded } = await loadVerifier();
    const trust = await this.#pins();
    const records = readRecorded({ request, answer, streamId, trust, endorsements: this.#endorsements });
    const [first] = records ?? [];
    if (records === null || first === undefined || !continues(first, this.#known.peek(streamId))) return null;
    this.#known.note(streamId, records);
    return [...records];
  }

  /**
   * Resolves to consecutive records if they hold. `answer`: the answer that contains them. Rejects with
   * VerificationError if they do not hold, and with the errors of Transport if it has to ask for more.
   */
  async check(
    records: readonly unknown[],
    expected: Expectations,
    answer: unknown,
    signal?: AbortSignal,
  ): Promise<ReceiptRecord[]> {
    const { examineRun, forkOf, mismatch } = await loadVerifier();
    const trust = await this.#pins();
    const run = records as readonly ReceiptRecord[];
    const streamId = expected.streamId ?? run[0]?.stream_id ?? "";
    let endorsements = this.#endorsements;
    const examine = (all: readonly RedactedRecord[]) => examineRun(streamId, all, trust, endorsements);
    let shown: readonly RedactedRecord[] | null = null;
    let askedForKeys = false;
    for (;;) {
      // Nothing is awaited between reading and storing what is known: another answer is known before this one, or after
      // it.
      const known = this.#known.peek(streamId);
      const gap = expected.goesOn === true ? gapBefore(run[0], known) : null;
      if (gap !== null && shown === null && this.#options.gaps !== "accept") {
        shown = await this.#shown(streamId, gap, signal);
        continue;
      }
      const leading = shown === null ? undefined : leadingTo(run[0], known, shown);
      const previous = leading ?? expected.before ?? known.at(numberOf(run[0]) - 1);
      const next = known.at(numberOf(run.at(-1)) + 1);
      const all = [previous ?? [], run, next ?? []].flat();
      const report = examine(all);
      const other = run.find((record) => contradicts(known.at(numberOf(record)), record));
      // Somebody between could tell a second history; only the service's key makes it the service's.
      if (other !== undefined && examine(run).verdict === this.verdict) {
        const fork = trust && forkOf(other, known.at(other.seq_no) as RedactedRecord, trust);
        const message =
          `The service has handed out two receipts of event ${other.seq_no} ` + `of ${streamId}: it has two histories.`;
        throw new VerificationError({ code: "fork_detected", message, report, fork }, answer);
      }
      if (report.verdict === "untrusted" && trust !== null && !askedForKeys) {
        askedForKeys = true;
        endorsements = await this.#served(signal);
        continue;
      }
      const untruth =
        refusal(report, trust !== null) ??
        (leading === undefined ? null : late(all[0], known)) ??
        repeated(run[0], expected.after ?? null) ??
        firstOf(expected.sent ?? [], (event, index) => mismatch(event, run[index] as ReceiptRecord));
      if (untruth !== null) throw new VerificationError(untruth, answer);
      this.#endorsements = endorsements;
      if (expected.goesOn === true) {
        this.#known.note(streamId, [...(leading ?? []), ...run]);
      }
      return [...run];
    }
  }

  /** Checks a record of the tenant's lifecycle stream that came in an answer. */
  async checkLifecycle(record: unknown, eventType: string, answer: unknown, signal?: AbortSignal): Promise<void> {
    const [checked] = await this.check([record], {}, answer, signal);
    if (checked?.event_type === eventType) return;
    const message = `A record of ${eventType} was due, and one of ${checked?.event_type} came.`;
    throw new VerificationError({ code: "receipt_mismatch", message }, answer);
  }

  /**
   * Resolves to the pins of the options, which are read once; null without any. Rejects with TypeError for a malformed
   * policy.
   */
  async #pins(): Promise<TrustPolicy | null> {
    const { trust } = this.#options;
    if (trust === undefined) return null;
    this.#trust ??= loadVerifier().then(({ signersOf }) => signersOf(trust));
    return this.#trust;
  }

  /** Resolves to the endorsements that the service shows: they count because of the pinned key's signature. */
  async #served(signal?: AbortSignal): Promise<readonly KeyEndorsement[]> {
    const answer = await this.#transport.json<{ endorsements?: unknown }>({ method: "GET", path: "/v2/keys", signal });
    const { endorsements } = answer;
    if (!Array.isArray(endorsements)) return [];
    if (endorsements.length <= MAX_ENDORSEMENTS) return endorsements;
    throw new SvcError("unexpected_answer", `/v2/keys was answered with ${endorsements.length} endorsements.`, 200);
  }

  /** Resolves to the events of a gap that the service shows: the verifier names the first missing one. */
  async #shown(streamId: string, { from, to }: Gap, signal?: AbortSignal): Promise<readonly RedactedRecord[]> {
    const shown: RedactedRecord[] = [];
    for (let next = from; next <= to; next = from + shown.length) {
      const limit = Math.min(to - next + 1, MAX_PAGE_ITEMS);
      const path = `/v2/streams/${encodeURIComponent(streamId)}/events?from_seq_no=${next}&limit=${limit}`;
      const { items } = await this.#transport.json<Page<RedactedRecord>>({ method: "GET", path, signal });
      if (!Array.isArray(items) || items.length === 0) break;
      shown.push(...items.slice(0, limit));
    }
    return shown;
  }
}

/**
 * Returns the numbers to read before a record; null if it follows what is known, if nothing is known, or if they are
 * too many.
 */
function gapBefore(record: unknown, { head }: KnownEvents): Gap | null {
  const seqNo = numberOf(record);
  if (head === null || seqNo <= head + 1 || seqNo > head + 1 + MAX_GAP_EVENTS) return null;
  return { from: head + 1, to: seqNo - 1 };
}

/** Says whether a record that holds follows the newest one known; any record does where nothing is known. */
function continues({ seq_no, previous_event_hash, received_at }: ReceiptRecord, known: KnownEvents): boolean {
  if (known.head === null) return true;
  const newest = known.at(known.head);
  const isChained = newest?.event_hash === previous_event_hash && newest.received_at <= received_at;
  return seq_no === known.head + 1 && (known.head === 0 || isChained);
}

/** Returns the newest known record, and the shown records behind it, up to a record. */
function leadingTo(record: unknown, known: KnownEvents, shown: readonly RedactedRecord[]): RedactedRecord[] {
  const end = numberOf(record);
  const head = Math.min(known.head ?? 0, end - 1);
  const behind = shown.filter((each) => !(numberOf(each) <= head));
  return [known.at(head) ?? [], behind].flat();
}

function contradicts(known: RedactedRecord | undefined, record: RedactedRecord): boolean {
  return known !== undefined && known.event_hash !== record.event_hash;
}

/** Returns the verifier's objection to a run. */
function refusal(report: Report, isTrusting: boolean): Untruth | null {
  const [problem] = report.problems;
  if (report.ok || problem === undefined || (report.verdict === "untrusted" && !isTrusting)) return null;
  return { code: problem.code, message: problem.message, report };
}

/** A stream that was seen empty has no record to begin with. */
function late(first: RedactedRecord | undefined, { head }: KnownEvents): Untruth | null {
  if (first === undefined || head !== 0 || first.seq_no === 1) return null;
  const message =
    `Events 1 to ${first.seq_no - 1} are missing: the stream was empty, ` + `and the service does not show them.`;
  return { code: "range_incomplete", message };
}

function repeated(record: ReceiptRecord | undefined, after: Place | null): Untruth | null {
  if (record === undefined || after === null) return null;
  if (record.stream_id !== after.streamId || record.seq_no > after.seqNo) return null;
  const message =
    `A new event was answered with the receipt of event ${record.seq_no}, and event ${after.seqNo} was there ` +
    `before it was sent.`;
  return { code: "receipt_repeated", message };
}

function requireCount(came: unknown, count: number, answer: unknown): readonly unknown[] {
  if (Array.isArray(came) && came.length === count) return came;
  const isShort = Array.isArray(came) && came.length < count;
  const message = Array.isArray(came)
    ? `${count} events were sent, and ${came.length} receipts came.`
    : "The answer has no receipts in it.";
  throw new VerificationError({ code: isShort ? "range_incomplete" : "unexpected_answer", message }, answer);
}

function firstOf<Item>(items: readonly Item[], find: (item: Item, index: number) => Untruth | null): Untruth | null {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== null) return found;
  }
  return null;
}

/** Returns the number of a record that has not been checked yet; NaN if it has none. */
function numberOf(record: unknown): number {
  const seqNo = (record as { readonly seq_no?: unknown } | null | undefined)?.seq_no;
  return typeof seqNo === "number" ? seqNo : Number.NaN;
}
