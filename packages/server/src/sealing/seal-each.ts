/**
 * Runs one sealing step on many streams: each repetition is a separate transaction under the lease, and a stream on
 * which it fails holds up no other. Several streams go on at a time, so that their transactions share a commit.
 */
import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import { type Lease, LeaseLost } from "@svc/host/jobs";
import type { Reader, Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import { findStream, type StreamRow } from "../streams/streams-store.ts";

/** One round of the sealer. */
export interface SealingRound {
  readonly lease: Lease;
  readonly stop: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/**
 * The number of streams that are read at a time: requests are served between two portions, even if many streams wait.
 */
const PORTION = 500;
/**
 * The most streams, and the most of their events, whose transactions share a commit: they bound how long the appends
 * wait that come meanwhile.
 */
const MAX_TOGETHER = 16;
const MAX_EVENTS_TOGETHER = 512;

/**
 * Yields waiting streams in portions; the event loop turns between them. `isLast`: returns whether a full portion that
 * ends with a stream is the last one. `first`: the number of streams in the first portion.
 */
export async function* inBatches(
  { database }: Pick<Context, "database">,
  waiting: (reader: Reader, after: StreamRow | null, most: number) => Promise<StreamRow[]>,
  {
    isLast = () => false,
    first = PORTION,
  }: { readonly isLast?: (end: StreamRow) => boolean; readonly first?: number } = {},
): AsyncGenerator<StreamRow[], void, undefined> {
  for (let [after, most]: [StreamRow | null, number] = [null, first]; ; most = PORTION) {
    const behind: StreamRow | null = after;
    const portion: StreamRow[] = await database.read((reader) => waiting(reader, behind, most));
    if (portion.length > 0) yield portion;
    after = portion.at(-1) ?? null;
    if (after === null || portion.length < most || isLast(after)) return;
    await turnOfEventLoop();
  }
}

/**
 * Repeats `step` on each stream that is in a shard of this process until it resolves to false, which means that nothing
 * was left to do. Rejects with LeaseLost; other errors go to `round.onError`.
 */
export async function sealEach(
  context: Pick<Context, "database">,
  streams: readonly StreamRow[],
  round: SealingRound,
  step: (writer: Writer, stream: StreamRow) => Promise<boolean>,
): Promise<void> {
  const own = streams.filter(({ stream_id }) => round.lease.holds(stream_id));
  for (const some of together(own)) {
    const outcomes = await Promise.allSettled(some.map((stream) => sealOne(context, stream, round, step)));
    const lost = outcomes.find((outcome) => outcome.status === "rejected");
    if (lost !== undefined) throw lost.reason;
  }
}

/** Divides streams into those whose transactions share their commits; a stream with much to do gets its own. */
function* together(streams: readonly StreamRow[]): Generator<StreamRow[]> {
  let [some, events]: [StreamRow[], number] = [[], 0];
  for (const stream of streams) {
    const more = stream.head_seq_no - stream.checkpointed_to_seq_no;
    if (some.length === MAX_TOGETHER || (some.length > 0 && events + more > MAX_EVENTS_TOGETHER)) {
      yield some;
      [some, events] = [[], 0];
    }
    some.push(stream);
    events += more;
  }
  if (some.length > 0) yield some;
}

async function sealOne(
  { database }: Pick<Context, "database">,
  { tenant_id, stream_id }: StreamRow,
  { lease, stop, onError }: SealingRound,
  step: (writer: Writer, stream: StreamRow) => Promise<boolean>,
): Promise<void> {
  let didWork = true;
  while (didWork && !stop.aborted && lease.holds(stream_id)) {
    try {
      didWork = await database.write(
        async (writer) => {
          if (stop.aborted) return false;
          await lease.hold(writer, stream_id);
          // It is not locked: appends go on while a seal is made.
          const stream = await findStream(writer, tenant_id, stream_id);
          return stream !== null && (await step(writer, stream));
        },
        // The step compares the stream's row when it moves it, and locks the key that seals; events and sealed evidence
        // never change. A policy may get a new version meanwhile: the seal then came before it.
        { givesWay: true, isLocking: true },
      );
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      onError(error);
      didWork = false;
    }
  }
}
