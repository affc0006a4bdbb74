/**
 * Dispatches messages of the outbox whose work is itself in the database: work and mark are one transaction, so such a
 * message is done exactly once. Messages that leave the machine will need a claim of their own first; they are NOT
 * served here yet.
 */
import { serviceTime } from "../clock.ts";
import type { Writer } from "../store/database.ts";
import { type JobContext, type Lease, LeaseLost } from "./lease.ts";
import { dueMessages, markDone, markFailed, type OutboxMessage, objectOf } from "./outbox-store.ts";

/** The number of messages that are read at a time. */
const PORTION = 256;
/** The most messages whose transactions share a commit: they bound how long other writers wait meanwhile. */
const MAX_TOGETHER = 16;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 300_000;

/** The work of one kind of message, and its listeners. */
export interface OutboxDispatch {
  /**
   * Does the work of a message inside the transaction that marks it as done. A rejection undoes both, and puts the
   * message off. It must lock or compare all rows on which it depends (`WriteOptions.isLocking`).
   */
  run(writer: Writer, message: OutboxMessage): Promise<void>;
  /** Called with each message that is done, after its commit. */
  onDone?(message: OutboxMessage): void;
  /** Called with each error of a message; the round continues. */
  onError(error: unknown): void;
}

/** Resolves to whether a message of a kind is due. `isOwn`: whether an object is in a shard of this process. */
export async function anyMessageDue(
  { database, clock }: JobContext,
  kind: string,
  isOwn: (object: string) => boolean = () => true,
): Promise<boolean> {
  const times = dueTimes(clock());
  // The first message mostly is enough, and where nothing is divided it always is.
  for (let [after, most] = ["", 1]; ; most = PORTION) {
    const messages = await database.read((reader) => dueMessages(reader, kind, times, most, after));
    if (messages.some((message) => isOwn(objectOf(message)))) return true;
    if (messages.length < most) return false;
    after = messages.at(-1)?.outbox_id ?? after;
  }
}

/**
 * Does the messages that are due now and in shards of this process, in order; one that fails is put off and holds up no
 * other. Several share a commit. Rejects with LeaseLost.
 */
export async function dispatchDue(
  { database, clock }: JobContext,
  kind: string,
  lease: Lease,
  stop: AbortSignal,
  runner: OutboxDispatch,
): Promise<void> {
  // Messages that become due meanwhile are left to another round; otherwise one round could last for ever.
  const times = dueTimes(clock());
  const dispatch = async (message: OutboxMessage) => {
    try {
      const isDone = await database.write(
        async (writer) => {
          if (stop.aborted) return false;
          await lease.hold(writer, objectOf(message));
          if (!(await markDone(writer, message, serviceTime(clock())))) return false;
          await runner.run(writer, message);
          return true;
        },
        { givesWay: true, isLocking: true },
      );
      if (isDone) runner.onDone?.(message);
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      runner.onError(error);
      const waitMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(message.attempts, 20), LAST_RETRY_MS);
      const reason = error instanceof Error ? error.message : "unknown";
      await database.write(
        async (writer) => {
          await lease.hold(writer, objectOf(message));
          await markFailed(writer, message, reason, serviceTime(clock() + waitMs));
        },
        { isLocking: true },
      );
    }
  };
  for (let [after, isLast] = ["", false]; !isLast; ) {
    const portion = await database.read((reader) => dueMessages(reader, kind, times, PORTION, after));
    isLast = portion.length < PORTION;
    after = portion.at(-1)?.outbox_id ?? after;
    const messages = portion.filter((message) => lease.holds(objectOf(message)));
    for (let from = 0; from < messages.length; from += MAX_TOGETHER) {
      if (stop.aborted) return;
      const rows = inRows(messages.slice(from, from + MAX_TOGETHER), database.maxWriters);
      const outcomes = await Promise.allSettled(
        rows.map(async (row) => {
          for (const message of row) await dispatch(message);
        }),
      );
      const lost = outcomes.find((outcome) => outcome.status === "rejected");
      if (lost !== undefined) throw lost.reason;
    }
  }
}

/**
 * Divides messages into rows, each of which is dispatched in order. Where one transaction waits for the other anyway,
 * each message is a row of its own, so that all of them can share a commit.
 */
function inRows(messages: readonly OutboxMessage[], maxWriters: number): readonly (readonly OutboxMessage[])[] {
  return maxWriters === 1 ? messages.map((message) => [message]) : [...Map.groupBy(messages, objectOf).values()];
}

function dueTimes(now: number) {
  return { now: serviceTime(now), furthest: serviceTime(now + LAST_RETRY_MS) };
}
