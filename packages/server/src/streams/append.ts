/**
 * Appending: events become receipts, in the order of arrival, all events of a request or none (protocol section 7). A
 * request that repeats an Idempotency-Key gets the first answer, made again from the events.
 *
 * Group commit: append requests that arrive together become one transaction, in which they are chained and signed
 * together; each is answered only after the commit is on disk. This grouping saves work: a stream's head is read and
 * moved once for all of them. The other grouping, that of the embedded database (packages/host/src/store/sqlite.ts),
 * lets this transaction share its commit and its wait for the disk with those of other families.
 */
import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import { failpoint } from "@svc/host/failpoint";
import { part } from "@svc/host/parts";
import { AnswerLost, StoreUnavailable, type Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import { type Idempotency, idempotencyOf } from "../idempotency/idempotency.ts";
import { type Appended, appendGroup } from "./append-group.ts";
import { type AlongWithEvents, type AskedRequest, asAsked, type PreparedRequest } from "./append-request.ts";
import type { EventRow } from "./events-store.ts";
import { wasCommitted } from "./lost-answer.ts";
import { type RecordForm, recordTexts } from "./receipt-records.ts";
import { appended, recorded } from "./recorded.ts";
import { streamSettings } from "./settings.ts";

/** The most requests and events that are committed together: they bound how long the first of a group waits. */
const MAX_GROUP_REQUESTS = 256;
export const MAX_GROUP_EVENTS = 2000;
/** How long the database is asked what became of a commit whose answer was lost. */
const FIND_OUT_MS = 15_000;

/** A request that waits for its group. */
interface Waiting extends AskedRequest {
  readonly resolve: (rows: EventRow[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Appends events by request, in groups. Where the database writes one transaction at a time, the next group waits in
 * the database for the one before, and grows until it is its turn. Where several go on at a time, so do as many groups,
 * but never two with the same stream: the second would only wait for the first.
 */
export class Append {
  readonly #context: Context;
  readonly #idempotency: Idempotency;
  readonly #findOutMs: number;
  readonly #groupStreams: number;
  #waiting: Waiting[] = [];
  /** Whether a group is about to be taken from those that wait. */
  #isScheduled = false;
  /** Where several transactions go on at a time: the number of groups that do, and their streams, by `nameOf`. */
  #underWay = 0;
  readonly #busy = new Set<string>();

  /**
   * `findOutMs`: how long the database is asked what became of a commit whose answer was lost. `groupStreams`: the most
   * streams of one group.
   */
  constructor(
    context: Context,
    idempotency: Idempotency,
    { findOutMs = FIND_OUT_MS, groupStreams = MAX_GROUP_REQUESTS } = {},
  ) {
    this.#context = context;
    this.#idempotency = idempotency;
    this.#findOutMs = findOutMs;
    this.#groupStreams = groupStreams;
  }

  /**
   * Resolves to the event rows of the request, made now or by an earlier request with the same key: payloads of that
   * can be archived. `along`: rows of the caller for events that are made now. Rejects with the refusals of
   * `visibleStream`, of Idempotency-Keys and of `along`, and with `stream_class_closed`, `event_log_stream`,
   * `stream_closed`, `sequence_conflict` or `predecessor_missing`. Rejects with the errors of `Database.write`; with
   * AnswerLost only if the database could not be asked in time.
   */
  append(request: PreparedRequest, along: AlongWithEvents | null = null): Promise<EventRow[]> {
    const asked = asAsked(request, along);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...asked, resolve, reject });
      this.#schedule();
    });
  }

  /**
   * Resolves to the records of the rows as JSON texts, with a comma between them. Rejects as `append` and
   * `ArchivedPayloads.restored` do.
   */
  async records(request: PreparedRequest, form: RecordForm): Promise<string> {
    const rows = await this.append(request);
    const { archived, database } = this.#context;
    // Outside of the group's transaction: a slow disk of the archive holds up no other request.
    return recordTexts(form === "whole" ? await archived.restored(database, rows) : rows, form);
  }

  #schedule(): void {
    if (this.#isScheduled || !this.#canBegin()) return;
    this.#isScheduled = true;
    void this.#commitGroup();
  }

  /** Returns whether several groups go on at a time. */
  get #isParallel(): boolean {
    return this.#context.database.maxWriters > 1;
  }

  #canBegin(): boolean {
    if (!this.#isParallel) return this.#waiting.length > 0;
    return (
      this.#underWay < this.#context.database.maxWriters &&
      this.#waiting.some(({ streamName }) => !this.#busy.has(streamName))
    );
  }

  async #commitGroup(): Promise<void> {
    let group: Waiting[] | null = null;
    const take = () => {
      if (group === null) {
        group = this.#takeGroup();
        this.#isScheduled = false;
        this.#schedule();
      }
      return group;
    };
    try {
      // The requests of one turn of the event loop are one group. Otherwise, the first would be one alone.
      if (this.#isParallel) await turnOfEventLoop();
      const { answers, added, isWindowFull } = await this.#commit(take);
      failpoint("append: committed");
      const last = added.at(-1);
      if (last !== undefined) {
        this.#context.channel.publish(recorded, { last, isWindowFull });
        this.#context.channel.publish(appended, added.length);
      }
      for (const [index, { resolve, reject }] of take().entries()) {
        const answer = answers[index] ?? { error: new Error("a request has no answer") };
        if ("error" in answer) reject(answer.error);
        else resolve(answer.rows);
      }
    } catch (error) {
      for (const { reject } of take()) reject(error);
    } finally {
      this.#end(take());
    }
  }

  /** Commits a group, and resolves to its results. Rejects with the errors of `Database.write`. */
  async #commit(take: () => readonly Waiting[]): Promise<Appended> {
    const { database } = this.#context;
    const last: { results: Appended | null } = { results: null };
    const work = async (writer: Writer) => {
      last.results = await appendGroup(writer, this.#context, this.#idempotency, take());
      return last.results;
    };
    try {
      return await database.write(work, { isLocking: true });
    } catch (error) {
      const { results } = last;
      if (!(error instanceof AnswerLost) || results === null) throw error;
      const { trace } = results;
      const isCommitted = trace !== null && (await wasCommitted(database, trace, this.#findOutMs));
      if (isCommitted === null) throw error;
      if (isCommitted) return results;
      throw new StoreUnavailable("the connection was lost, and nothing was committed", { cause: error });
    }
  }

  /**
   * Takes the first waiting requests up to the limits; at least one, however large. The requests to a stream stay in
   * order: while the stream is busy, or one of them waits for another group, all of them wait.
   */
  #takeGroup(): Waiting[] {
    const group: Waiting[] = [];
    const left: Waiting[] = [];
    const streams = new Set<string>();
    let events = 0;
    let isFull = false;
    for (const waiting of this.#waiting) {
      const isFree: boolean = !isFull && !this.#busy.has(waiting.streamName) && this.#hasRoom(streams, waiting);
      if (isFree) events += waiting.request.events.length;
      isFull ||= isFree && group.length > 0 && (group.length === MAX_GROUP_REQUESTS || events > MAX_GROUP_EVENTS);
      if (isFree && !isFull) streams.add(waiting.streamName);
      (isFree && !isFull ? group : left).push(waiting);
    }
    this.#waiting = left;
    if (this.#isParallel) {
      this.#underWay += 1;
      for (const { streamName } of group) this.#busy.add(streamName);
    }
    return group;
  }

  /** Returns whether a group with these streams may have the stream of a request. */
  #hasRoom(streams: ReadonlySet<string>, { streamName }: Waiting): boolean {
    return streams.size < this.#groupStreams || streams.has(streamName);
  }

  /** The streams of a group are free again. */
  #end(group: readonly Waiting[]): void {
    if (!this.#isParallel) return;
    this.#underWay -= 1;
    for (const { streamName } of group) this.#busy.delete(streamName);
    this.#schedule();
  }
}

/** The appending of a deployment. All requests of a server go through this one part, because it groups them. */
export const appendPart = part("append", (context: Context) => {
  const { groupStreams } = context.settings(streamSettings);
  return new Append(context, idempotencyOf(context), { groupStreams });
});
