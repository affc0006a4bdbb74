/**
 * Dispatches messages of the outbox. The part of their work that is in the database, and the mark, are one transaction,
 * which is done exactly once; a part outside of it comes before, and can be repeated. Messages that leave the machine
 * are NOT served here: claims.ts sends them.
 */
import { serviceTime } from "../clock.ts";
import type { Writer } from "../store/database.ts";
import { BACK_OFF, dueTimes } from "./backoff.ts";
import { type JobContext, type Lease, LeaseLost } from "./lease.ts";
import { dueMessages, markDone, markFailed, type OutboxMessage, objectOf } from "./outbox-store.ts";

/** The number of messages that are read at a time. */
const PORTION = 256;
/** The most messages whose transactions share a commit: they bound how long other writers wait meanwhile. */
const MAX_TOGETHER = 16;
/** The work of one kind of message, and its listeners. `Prepared`: the outcome of its first part. */
export interface OutboxDispatch<Prepared = undefined> {
  /**
   * Does the part of the work that is outside of the database, before the transactions, for messages about different
   * objects. It can be repeated, after a crash or by another process that has the lease by then. Resolves to their
   * outcomes in order; a rejection among them puts its message off.
   */
  prepare?(messages: readonly OutboxMessage[]): Promise<readonly PromiseSettledResult<Prepared>[]>;
  /**
   * Does the rest inside the transaction that marks the message as done. A rejection undoes both, and puts the message
   * off. It must lock or compare all rows on which it depends (`WriteOptions.isLocking`).
   */
  run(writer: Writer, message: OutboxMessage, prepared: Prepared): Promise<void>;
  /** Called with each message that is done, after its commit. */
  onDone?(message: OutboxMessage): void;
  /** Called with each error of a message; the round continues. */
  onError(error: unknown): void;
}

/**
 * Resolves to whether a message of a kind is due. `isOwn`: whether an object is in a shard of this process.
 * `furthestMs`: how far ahead a message of this kind may be put off.
 */
export async function anyMessageDue(
  { database, clock }: JobContext,
  kind: string,
  isOwn: (object: string) => boolean = () => true,
  furthestMs: number = BACK_OFF.furthestMs,
): Promise<boolean> {
  const times = dueTimes(clock(), furthestMs);
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
export async function dispatchDue<Prepared>(
  { database, clock }: JobContext,
  kind: string,
  lease: Lease,
  stop: AbortSignal,
  runner: OutboxDispatch<Prepared>,
): Promise<void> {
  // Messages that become due meanwhile are left to another round; otherwise one round could last for ever.
  const times = dueTimes(clock(), BACK_OFF.furthestMs);
  const dispatch = async (message: OutboxMessage, outcome: PromiseSettledResult<Prepared> | undefined) => {
    try {
      if (outcome?.status === "rejected") throw outcome.reason;
      const prepared = outcome?.value as Prepared;
      const isDone = await database.write(
        async (writer) => {
          if (stop.aborted) return false;
          await lease.hold(writer, objectOf(message));
          if (!(await markDone(writer, message, serviceTime(clock())))) return false;
          await runner.run(writer, message, prepared);
          return true;
        },
        { givesWay: true, isLocking: true },
      );
      if (isDone) runner.onDone?.(message);
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      runner.onError(error);
      const reason = error instanceof Error ? error.message : "unknown";
      await database.write(
        async (writer) => {
          await lease.hold(writer, objectOf(message));
          await markFailed(writer, message, reason, serviceTime(BACK_OFF.retryAt(message.attempts, clock())));
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
    for (const some of together(messages)) {
      if (stop.aborted) return;
      const prepared = await runner.prepare?.(some);
      const outcomes = await Promise.allSettled(some.map((message, index) => dispatch(message, prepared?.[index])));
      const lost = outcomes.find((outcome) => outcome.status === "rejected");
      if (lost !== undefined) throw lost.reason;
    }
  }
}

/** Divides messages into groups, in each of which all are about different objects; those about one stay in order. */
function* together(messages: readonly OutboxMessage[]): Generator<OutboxMessage[]> {
  for (let from = 0; from < messages.length; from += MAX_TOGETHER) {
    const rows = [...Map.groupBy(messages.slice(from, from + MAX_TOGETHER), objectOf).values()];
    const most = Math.max(...rows.map((row) => row.length));
    for (let place = 0; place < most; place++) yield rows.flatMap((row) => row.slice(place, place + 1));
  }
}
