/**
 * Appending: events become receipts, in the order of arrival, all events of a request or none (protocol section 7). A
 * request that repeats an Idempotency-Key gets the first answer, made again from the events.
 *
 * Group commit: append requests that arrive together become one transaction, in which they are chained and signed
 * together; each is answered only after the commit is on disk. This grouping saves work: a stream's head is read and
 * moved once for all of them. The other grouping, that of the embedded database (packages/host/src/store/sqlite.ts),
 * lets this transaction share its commit and its wait for the disk with those of other families.
 */
import { ServiceError } from "@svc/host/errors";
import { failpoint } from "@svc/host/failpoint";
import { part } from "@svc/host/parts";
import type { Principal } from "@svc/host/principal";
import type { Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import { type Idempotency, idempotencyOf, type RepeatableRequest, scopeName } from "../idempotency/idempotency.ts";
import { type Appender, Appenders } from "./appender.ts";
import { type EventRow, eventsOfRange } from "./events-store.ts";
import { placeRow } from "./issue-event.ts";
import type { PreparedEvent } from "./prepare-events.ts";
import { type RecordForm, recordTexts } from "./receipt-records.ts";
import { appended, recorded } from "./recorded.ts";
import { type AppendRoute, fingerprintOfEvents, routeName, targetOf } from "./request-fingerprint.ts";
import type { StreamRow } from "./streams-store.ts";
import { requireAssigned, visibleStream } from "./visible-stream.ts";

/** The most requests and events that are committed together: they bound how long the first of a group waits. */
const MAX_GROUP_REQUESTS = 256;
export const MAX_GROUP_EVENTS = 2000;

/** A checked request to append, prepared (appending.ts): data alone, which crosses between threads. */
export interface PreparedRequest extends AppendRoute {
  readonly principal: Principal;
  readonly streamId: string;
  readonly events: readonly PreparedEvent[];
  readonly idempotencyKey: string;
  /** The required head of the stream (64 lowercase hex characters; zeros for an empty stream); null for any. */
  readonly headMatch: string | null;
  /** The Idempotency-Key of a request to the same route that must have been recorded in the stream; null for none. */
  readonly afterKey: string | null;
  /** The keyed hash of its route, target and body. Two requests under one key must have the same. */
  readonly hash: string;
}

/** A request that waits for its group. */
interface Waiting {
  readonly request: PreparedRequest;
  readonly resolve: (rows: EventRow[]) => void;
  readonly reject: (error: unknown) => void;
}

/** The outcome of a request: rows of an earlier request, a range of numbers that an appender gave, or an error. */
type Outcome =
  | { readonly rows: EventRow[] }
  | {
      readonly appender: Appender;
      readonly fromSeqNo: number;
      readonly toSeqNo: number;
      readonly request: RepeatableRequest;
    }
  | { readonly error: unknown };

/** A group whose requests are being placed. */
interface Group {
  readonly writer: Writer;
  readonly appenders: Appenders;
  /** The open appenders, by tenant and stream. */
  readonly open: Map<string, Appender>;
  /** The requests of this group by the scope of their Idempotency-Keys: the database does not know them yet. */
  readonly keys: Map<
    string,
    { readonly request: RepeatableRequest; readonly streamId: string; readonly outcome: Outcome }
  >;
}

/** Appends events by request, in groups. */
export class Append {
  readonly #context: Context;
  readonly #idempotency: Idempotency;
  readonly #waiting: Waiting[] = [];
  #isScheduled = false;

  constructor(context: Context, idempotency: Idempotency) {
    this.#context = context;
    this.#idempotency = idempotency;
  }

  /**
   * Resolves to the event rows of the request, made now or by an earlier request with the same key. Rejects with the
   * refusals of `visibleStream` and Idempotency-Keys, and with `stream_class_closed`, `event_log_stream`,
   * `stream_closed`, `sequence_conflict` or `predecessor_missing`.
   */
  append(request: PreparedRequest): Promise<EventRow[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#schedule();
    });
  }

  /** Resolves to the records of the rows as JSON texts, with a comma between them. Rejects as `append` does. */
  async records(request: PreparedRequest, form: RecordForm): Promise<string> {
    return recordTexts(await this.append(request), form);
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    void this.#commitGroup();
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
      const { answers, added, isWindowFull } = await this.#context.database.write((writer) =>
        this.#appendAll(writer, take()),
      );
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
    }
  }

  /** Takes the first waiting requests up to the limits; at least one, however large. */
  #takeGroup(): Waiting[] {
    let [requests, events] = [0, 0];
    for (const waiting of this.#waiting) {
      events += waiting.request.events.length;
      if (requests === MAX_GROUP_REQUESTS || (requests > 0 && events > MAX_GROUP_EVENTS)) break;
      requests += 1;
    }
    return this.#waiting.splice(0, requests);
  }

  /**
   * Places all requests of a group, then signs and stores their events. A request that is refused gets no place, and
   * stops no other.
   */
  async #appendAll(writer: Writer, waiting: readonly Waiting[]) {
    const group: Group = { writer, appenders: new Appenders(writer, this.#context), open: new Map(), keys: new Map() };
    const outcomes: Outcome[] = [];
    for (const { request } of waiting)
      outcomes.push(await this.#place(group, request).catch((error: unknown) => ({ error })));

    failpoint("append: placed");
    const stored = await group.appenders.store();
    failpoint("append: stored");
    const rowsOf = (appender: Appender, fromSeqNo: number, toSeqNo: number) => {
      const before = appender.stream.head_seq_no + 1;
      return (stored.get(appender) ?? []).slice(fromSeqNo - before, toSeqNo - before + 1);
    };
    for (const { request, outcome } of group.keys.values()) {
      if (!("appender" in outcome)) continue;
      const { appender, fromSeqNo, toSeqNo } = outcome;
      const made = { streamId: appender.stream.stream_id, fromSeqNo, toSeqNo, result: null };
      const [first] = rowsOf(appender, fromSeqNo, toSeqNo);
      await this.#idempotency.keep(writer, request, made, first?.received_at ?? "");
    }
    const answers = outcomes.map((outcome) =>
      "appender" in outcome ? { rows: rowsOf(outcome.appender, outcome.fromSeqNo, outcome.toSeqNo) } : outcome,
    );
    return { answers, added: [...stored.values()].flat(), isWindowFull: group.appenders.isWindowFull };
  }

  async #place(group: Group, request: PreparedRequest): Promise<Outcome> {
    const { principal, streamId, events } = request;
    const { writer, appenders, open, keys } = group;
    const streamName = `${principal.tenantId} ${streamId}`;
    const known = open.get(streamName);
    const stream = known?.stream ?? (await visibleStream(writer, principal, streamId));
    if (known !== undefined) requireAssigned(principal, stream);

    const repeated = repeatable(request);
    const scope = scopeName(repeated);
    const together = keys.get(scope);
    if (together !== undefined) {
      const { streamId: stream_id } = together;
      this.#idempotency.requireSame(together.request, repeated, { stream_id });
      return together.outcome;
    }
    const made = await this.#idempotency.replay(writer, repeated);
    if (made !== null) {
      const { tenantId } = principal;
      return { rows: await eventsOfRange(writer, tenantId, made.streamId, made.fromSeqNo, made.toSeqNo) };
    }
    if (stream.class !== "legacy")
      throw new ServiceError(
        "stream_class_closed",
        `Stream ${stream.stream_id} is of class ${stream.class}, which takes no events through this route. Append to a stream of class legacy.`,
      );
    if (stream.event_log_no !== null && request.isLog !== true)
      throw new ServiceError(
        "event_log_stream",
        `Stream ${stream.stream_id} is the event log of its system, whose events have a form of their own. Send them to POST /v1/sdk/events.`,
      );
    const appender = known ?? (await appenders.open(stream));
    open.set(streamName, appender);
    requireHeadMatch(appender, request.headMatch);
    if (request.afterKey !== null) await this.#requireRecorded(group, { ...repeated, key: request.afterKey }, stream);
    const fromSeqNo = appender.seqNo + 1;
    appender.place(events, principal);
    const outcome = { appender, fromSeqNo, toSeqNo: appender.seqNo, request: repeated };
    keys.set(scope, { request: repeated, streamId: stream.stream_id, outcome });
    return outcome;
  }

  /**
   * Throws `predecessor_missing` unless the request with this key has been recorded in the stream, earlier or before
   * this one in the group.
   */
  async #requireRecorded({ writer, keys }: Group, before: RepeatableRequest, { stream_id }: StreamRow): Promise<void> {
    const together = keys.get(scopeName(before))?.request.target;
    if ((together ?? (await this.#idempotency.streamOf(writer, before))) === stream_id) return;
    throw new ServiceError(
      "predecessor_missing",
      `No request with the Idempotency-Key ${JSON.stringify(before.key)}, which after_key names, has been recorded in ${stream_id}. Send that one first, then this one again.`,
      { stream_id },
    );
  }
}

/** The appending of a deployment. All requests of a server go through this one part, because it groups them. */
export const appendPart = part("append", (context: Context) => new Append(context, idempotencyOf(context)));

function requireHeadMatch(appender: Appender, wanted: string | null): void {
  if (wanted === null) return;
  const { headHash, seqNo } = appender;
  const { stream_id } = appender.stream;
  if (headHash === wanted) return;
  throw new ServiceError(
    "sequence_conflict",
    `The head of ${stream_id} is event ${seqNo} by now. Read GET /v2/streams/{id}/head, and decide again whether to append.`,
    { stream_id, seq_no: seqNo, stream_head_hash: headHash },
  );
}

function repeatable(request: PreparedRequest): RepeatableRequest {
  const { principal, idempotencyKey, streamId, events, hash } = request;
  const route = routeName(request);
  return {
    principal,
    route,
    key: idempotencyKey,
    target: targetOf(route, streamId),
    body: null,
    hash,
    fingerprint: () => fingerprintOfEvents(route, events),
    hasPayloadsOf: async (reader, made) => {
      const rows = await eventsOfRange(reader, principal.tenantId, made.streamId, made.fromSeqNo, made.toSeqNo);
      // The event's hash covers the salted hash of its payload, so comparing it compares the payloads.
      const isOf = ({ payload_salt, ...row }: EventRow, index: number) => {
        const event = events[index];
        if (event === undefined || payload_salt === null) return event !== undefined;
        return placeRow(event, { ...placeOf(row), payload_salt }, event.payloadText).event_hash === row.event_hash;
      };
      return rows.length === events.length && rows.every(isOf);
    },
  };
}

function placeOf({
  stream_id,
  stream_event_id,
  seq_no,
  previous_event_hash,
  received_at,
}: Omit<EventRow, "payload_salt">) {
  return { stream_id, stream_event_id, seq_no, previous_event_hash, received_at };
}
