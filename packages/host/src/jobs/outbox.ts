/**
 * Dispatches messages of the outbox whose work is itself in the database: work and mark are one transaction, so such a
 * message is done exactly once. Messages that leave the machine will need a claim of their own first; they are NOT
 * served here yet.
 */
import { serviceTime } from "../clock.ts";
import type { Writer } from "../store/database.ts";
import { type JobContext, type Lease, LeaseLost } from "./lease.ts";
import { dueMessages, markDone, markFailed, type OutboxMessage } from "./outbox-store.ts";

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
   * message off.
   */
  run(writer: Writer, message: OutboxMessage): Promise<void>;
  /** Called with each message that is done, after its commit. */
  onDone?(message: OutboxMessage): void;
  /** Called with each error of a message; the round continues. */
  onError(error: unknown): void;
}

/** Resolves to whether a message of a kind is due. */
export async function anyMessageDue({ database, clock }: JobContext, kind: string): Promise<boolean> {
  return (await database.read((reader) => dueMessages(reader, kind, dueTimes(clock()), 1))).length > 0;
}

/**
 * Does the messages that are due now, in order; one that fails is put off and holds up no other. Several share a
 * commit. Rejects with LeaseLost.
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
          await lease.hold(writer);
          if (!(await markDone(writer, message, serviceTime(clock())))) return false;
          await runner.run(writer, message);
          return true;
        },
        { givesWay: true },
      );
      if (isDone) runner.onDone?.(message);
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      runner.onError(error);
      const waitMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(message.attempts, 20), LAST_RETRY_MS);
      const reason = error instanceof Error ? error.message : "unknown";
      await database.write((writer) => markFailed(writer, message, reason, serviceTime(clock() + waitMs)));
    }
  };
  for (let [after, isLast] = ["", false]; !isLast; ) {
    const messages = await database.read((reader) => dueMessages(reader, kind, times, PORTION, after));
    isLast = messages.length < PORTION;
    after = messages.at(-1)?.outbox_id ?? after;
    for (let from = 0; from < messages.length; from += MAX_TOGETHER) {
      if (stop.aborted) return;
      const outcomes = await Promise.allSettled(messages.slice(from, from + MAX_TOGETHER).map(dispatch));
      const lost = outcomes.find((outcome) => outcome.status === "rejected");
      if (lost !== undefined) throw lost.reason;
    }
  }
}

function dueTimes(now: number) {
  return { now: serviceTime(now), furthest: serviceTime(now + LAST_RETRY_MS) };
}
