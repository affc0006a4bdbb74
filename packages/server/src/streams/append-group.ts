/**
 * Appends the events of several requests in one transaction. The number of statements is the same for every group,
 * because each is a round trip to a remote database: first the streams are locked and read, then everything else is
 * read at once, the requests are placed one after another in memory, and in the end everything is written at once. Only
 * a repeated request costs more: its first answer is read again.
 */
import { ServiceError } from "@svc/host/errors";
import { failpoint } from "@svc/host/failpoint";
import { together, type Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import {
  type Idempotency,
  type KnownKeys,
  type RepeatableRequest,
  type StoredRequest,
  scopeName,
} from "../idempotency/idempotency.ts";
import { type AlongWithEvents, type AskedRequest, nameOf } from "./append-request.ts";
import { type Appender, Appenders } from "./appender.ts";
import { type EventRow, eventsOfRange } from "./events-store.ts";
import type { Trace } from "./lost-answer.ts";
import { lockStreams, type StreamRow } from "./streams-store.ts";
import { requireVisible } from "./visible-stream.ts";

/** The results of a group's transaction. */
export interface Appended {
  /** The answer to each request, in order. */
  readonly answers: readonly ({ readonly rows: EventRow[] } | { readonly error: unknown })[];
  readonly added: readonly EventRow[];
  readonly isWindowFull: boolean;
  /** One of the added events, or null. */
  readonly trace: Trace | null;
}

/** A range of numbers that an appender gave to a request. */
interface Placed {
  readonly appender: Appender;
  readonly fromSeqNo: number;
  readonly toSeqNo: number;
}

/** The outcome of a request: rows of an earlier request, its place, or an error. */
type Outcome = { readonly rows: EventRow[] } | Placed | { readonly error: unknown };

/** The values with which the requests of a group are compared. */
interface Grounds {
  readonly appenders: Appenders;
  /** The streams of the requests, as far as there are such streams, by `nameOf`. */
  readonly streams: ReadonlyMap<string, StreamRow>;
  readonly known: KnownKeys;
}

/**
 * Appends the events of a group's requests, in their order. A request that is refused gets no place, and stops no
 * other. Rejects with WriteConflict if another writer was quicker.
 */
export async function appendGroup(
  writer: Writer,
  context: Pick<Context, "signingKey" | "clock">,
  idempotency: Idempotency,
  asked: readonly AskedRequest[],
): Promise<Appended> {
  const grounds = await read(writer, context, idempotency, asked);
  const group = new AppendGroup(writer, idempotency, grounds);
  const outcomes: Outcome[] = [];
  for (const one of asked) outcomes.push(await group.place(one).catch((error: unknown) => ({ error })));
  failpoint("append: placed");
  const { appenders } = grounds;
  const [stored] = await together([appenders.store(), idempotency.keepAll(writer, group.kept)]);
  failpoint("append: stored");
  const rowsOf = ({ appender, fromSeqNo, toSeqNo }: Placed) => {
    const before = appender.stream.head_seq_no + 1;
    return (stored.get(appender) ?? []).slice(fromSeqNo - before, toSeqNo - before + 1);
  };
  for (const { along, placed } of group.along) await along.store(writer, rowsOf(placed));
  return {
    answers: outcomes.map((outcome) => ("appender" in outcome ? { rows: rowsOf(outcome) } : outcome)),
    added: [...stored.values()].flat(),
    isWindowFull: appenders.isWindowFull,
    trace: traceOf(stored),
  };
}

/**
 * Locks the streams, and then reads everything with which the requests are compared: where several transactions go on
 * at a time, it sees all that was committed before the locks were had.
 */
async function read(
  writer: Writer,
  context: Pick<Context, "signingKey" | "clock">,
  idempotency: Idempotency,
  asked: readonly AskedRequest[],
): Promise<Grounds> {
  const names = new Map(asked.map(({ stream, streamName }) => [streamName, stream]));
  const rows = await lockStreams(writer, [...names.values()]);
  const streams = new Map(rows.map((row) => [nameOf({ tenantId: row.tenant_id, streamId: row.stream_id }), row]));
  const keys = asked.flatMap(({ repeatable, before }) => (before === null ? [repeatable] : [repeatable, before]));
  const [known, appenders] = await together([idempotency.known(writer, keys), Appenders.of(writer, context, rows)]);
  return { appenders, streams, known };
}

/** A group whose requests are being placed. */
class AppendGroup {
  readonly #writer: Writer;
  readonly #idempotency: Idempotency;
  readonly #grounds: Grounds;
  readonly #open = new Map<StreamRow, Appender>();
  /** The requests of this group by the scope of their Idempotency-Keys: the database does not know them yet. */
  readonly #keys = new Map<string, { readonly request: RepeatableRequest; readonly placed: Placed }>();

  readonly #along: { readonly along: AlongWithEvents; readonly placed: Placed }[] = [];

  constructor(writer: Writer, idempotency: Idempotency, grounds: Grounds) {
    this.#writer = writer;
    this.#idempotency = idempotency;
    this.#grounds = grounds;
  }

  /** The rows of callers that go with the placed events. */
  get along(): readonly { readonly along: AlongWithEvents; readonly placed: Placed }[] {
    return this.#along;
  }

  /** The requests with a place and a key. */
  get kept(): StoredRequest[] {
    return [...this.#keys.values()].map(({ request, placed: { appender, fromSeqNo, toSeqNo } }) => ({
      request,
      made: { streamId: appender.stream.stream_id, fromSeqNo, toSeqNo, result: null },
      at: appender.receivedAt,
    }));
  }

  /** Resolves to the place of a request, or to the rows of the earlier one that it repeats. Rejects with refusals. */
  async place({ request, along, streamName, repeatable, before }: AskedRequest): Promise<Outcome> {
    const { principal, streamId, events } = request;
    const { appenders, streams, known } = this.#grounds;
    const stream = requireVisible(principal, streamId, streams.get(streamName) ?? null);

    const scope = scopeName(repeatable);
    const earlier = this.#keys.get(scope);
    if (earlier !== undefined) {
      const { stream_id } = earlier.placed.appender.stream;
      this.#idempotency.requireSame(earlier.request, repeatable, { stream_id });
      return earlier.placed;
    }
    const made = await this.#idempotency.replayKnown(this.#writer, repeatable, known);
    if (made !== null) {
      const { tenantId } = principal;
      return { rows: await eventsOfRange(this.#writer, tenantId, made.streamId, made.fromSeqNo, made.toSeqNo) };
    }
    if (stream.class !== "legacy")
      throw new ServiceError(
        "stream_class_closed",
        `Stream ${stream.stream_id} is of class ${stream.class}, which takes no events through this route. ` +
          `Append to a stream of class legacy.`,
      );
    if (stream.event_log_no !== null && request.isLog !== true)
      throw new ServiceError(
        "event_log_stream",
        `Stream ${stream.stream_id} is the event log of its system, whose events have their own form. Send them ` +
          `to POST /v1/sdk/events.`,
      );
    const appender = this.#open.get(stream) ?? appenders.open(stream);
    this.#open.set(stream, appender);
    requireHeadMatch(appender, request.headMatch);
    if (before !== null) this.#requireRecorded(before, stream);
    await along?.admit(this.#writer);
    const fromSeqNo = appender.seqNo + 1;
    appender.place(events, principal);
    const placed = { appender, fromSeqNo, toSeqNo: appender.seqNo };
    if (repeatable.key !== "") this.#keys.set(scope, { request: repeatable, placed });
    if (along !== null) this.#along.push({ along, placed });
    return placed;
  }

  /**
   * Throws `predecessor_missing` unless the request with this key has been recorded in the stream, earlier or before
   * this one in the group.
   */
  #requireRecorded(before: RepeatableRequest, { stream_id }: StreamRow): void {
    const earlier = this.#keys.get(scopeName(before))?.request.target;
    if ((earlier ?? this.#idempotency.streamOf(before, this.#grounds.known)) === stream_id) return;
    throw new ServiceError(
      "predecessor_missing",
      `No request with the Idempotency-Key ${JSON.stringify(before.key)}, which after_key names, has been ` +
        `recorded in ${stream_id}. Send that one first, then this one again.`,
      { stream_id },
    );
  }
}

function traceOf(stored: ReadonlyMap<Appender, readonly EventRow[]>): Trace | null {
  for (const [{ stream }, [row]] of stored)
    if (row !== undefined)
      return { tenantId: stream.tenant_id, streamId: stream.stream_id, seqNo: row.seq_no, eventHash: row.event_hash };
  return null;
}

function requireHeadMatch(appender: Appender, wanted: string | null): void {
  if (wanted === null) return;
  const { headHash, seqNo } = appender;
  const { stream_id } = appender.stream;
  if (headHash === wanted) return;
  throw new ServiceError(
    "sequence_conflict",
    `The head of ${stream_id} is event ${seqNo} by now. Read GET /v2/streams/{id}/head, and decide again whether ` +
      `to append.`,
    { stream_id, seq_no: seqNo, stream_head_hash: headHash },
  );
}
