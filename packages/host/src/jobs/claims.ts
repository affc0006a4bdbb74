/**
 * Sends messages of the outbox out of the machine. Each is claimed first, for as long as sending it can take; so no two
 * processes send it at a time, and one that comes back late changes nothing. A message is sent at least once, and again
 * after a crash: what answers must bear that. Its answer and its end are one transaction.
 */
import { randomUUID } from "node:crypto";
import { serviceTime } from "../clock.ts";
import type { Writer } from "../store/database.ts";
import { dueTimes, type Schedule } from "./backoff.ts";
import { type JobContext, type Lease, LeaseLost } from "./lease.ts";
import { claim, dueMessages, endClaim, type OutboxMessage, objectOf, putOffClaimed } from "./outbox-store.ts";

/** The number of messages that are read at a time. */
const PORTION = 256;
/** How much longer a claim lasts than sending can take: for the transactions before and after it. */
const CLAIM_MARGIN_MS = 5_000;

/** The sending of one kind of message, and its listeners. */
export interface Sending<Answer> {
  /** The most messages of this process that are on their way at a time. */
  readonly atOnce: number;
  /** The longest time that `send` takes, in ms. */
  readonly longestMs: number;
  /** When a message is sent again that could not be sent. */
  readonly schedule: Schedule;
  /**
   * Sends a message, outside of any transaction; it can be sent again, also by another process. Resolves to what is to
   * be stored of the answer. A rejection puts the message off. `signal`: aborted when the process is to end.
   */
  send(message: OutboxMessage, signal: AbortSignal): Promise<Answer>;
  /**
   * Stores the answer inside of the transaction that ends the message. A rejection undoes both, and puts the message
   * off. It must lock or compare all rows on which it depends (`WriteOptions.isLocking`).
   */
  store(writer: Writer, message: OutboxMessage, answer: Answer): Promise<void>;
  /** Called with each message that is done, after its commit. */
  onDone?(message: OutboxMessage, answer: Answer): void;
  /** Called with each message that is put off, after its commit; the round continues. */
  onPutOff(error: unknown, message: OutboxMessage): void;
}

/** Returns how far ahead a message of this kind may be put off, or claimed, in ms. */
export function reachMs({ schedule, longestMs }: Pick<Sending<never>, "schedule" | "longestMs">): number {
  return Math.max(schedule.furthestMs, longestMs + CLAIM_MARGIN_MS);
}

/** Another process has claimed the message meanwhile; the transaction that finds this is undone. */
class ClaimLost extends Error {}

/**
 * Sends the messages that are due now and in shards of this process, some at a time, until none is left; one that fails
 * is put off and holds up no other. On `stop` it claims no more, and resolves when those on their way are back. Rejects
 * with LeaseLost.
 */
export async function sendDue<Answer>(
  context: JobContext,
  kind: string,
  lease: Lease,
  stop: AbortSignal,
  sending: Sending<Answer>,
): Promise<void> {
  const { database, clock } = context;
  // Messages that become due meanwhile are left to another round; otherwise one round could last for ever.
  const times = dueTimes(clock(), reachMs(sending));
  for (let [after, isLast] = ["", false]; !isLast && !stop.aborted; ) {
    const portion = await database.read((reader) => dueMessages(reader, kind, times, PORTION, after));
    isLast = portion.length < PORTION;
    after = portion.at(-1)?.outbox_id ?? after;
    const left = portion.filter((message) => lease.holds(objectOf(message))).values();
    const senders = Array.from({ length: sending.atOnce }, async () => {
      for (const message of left) {
        if (stop.aborted) return;
        await sendOne(context, message, lease, stop, sending);
      }
    });
    const lost = (await Promise.allSettled(senders)).find((outcome) => outcome.status === "rejected");
    if (lost !== undefined) throw lost.reason;
  }
}

async function sendOne<Answer>(
  { database, clock }: JobContext,
  message: OutboxMessage,
  lease: Lease,
  stop: AbortSignal,
  { longestMs, schedule, send, store, onDone, onPutOff }: Sending<Answer>,
): Promise<void> {
  const owner = randomUUID();
  const isClaimed = await database.write(
    async (writer) => {
      await lease.hold(writer, objectOf(message));
      return claim(writer, message, owner, serviceTime(clock() + longestMs + CLAIM_MARGIN_MS));
    },
    { isLocking: true },
  );
  if (!isClaimed) return;
  try {
    const answer = await send(message, stop);
    await database.write(
      async (writer) => {
        if ((await endClaim(writer, message, owner, serviceTime(clock()))) === "lost") throw new ClaimLost();
        await store(writer, message, answer);
      },
      { isLocking: true },
    );
    onDone?.(message, answer);
  } catch (error) {
    if (error instanceof ClaimLost || error instanceof LeaseLost) return;
    const reason = error instanceof Error ? error.message : "unknown";
    // A message that was cut off by the end of this process is due at once for another.
    const now = clock();
    const next = serviceTime(stop.aborted ? now : schedule.retryAt(message.attempts, now));
    const isPutOff = await database.write((writer) => putOffClaimed(writer, message, owner, reason, next), {
      isLocking: true,
    });
    if (isPutOff && !stop.aborted) onPutOff(error, message);
  }
}
