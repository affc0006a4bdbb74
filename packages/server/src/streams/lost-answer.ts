/**
 * Finds out whether a transaction was committed whose answer was lost with its connection (`AnswerLost`). Nothing is
 * guessed: the transaction may still go on behind the lost connection, so that its events' absence alone means nothing.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { HashHex } from "@svc/core";
import type { Database } from "@svc/host/store";
import { hashesOf } from "./events-store.ts";
import { lockStreams, type StreamName } from "./streams-store.ts";

/** One of the events that the transaction was to record; it had locked the event's stream. */
export interface Trace extends StreamName {
  readonly seqNo: number;
  readonly eventHash: HashHex;
}

/** The waits between two attempts to ask the database. */
const WAITS_MS = { first: 50, longest: 1_000 };

/**
 * Resolves to whether the transaction was committed; null if that is not known within `mostMs`. A commit is all or
 * nothing, and no other transaction makes an event with this hash, so one event tells of all. The lock on its stream
 * cannot be had before the transaction has ended. The lock is itself committed, behind the transaction: where a commit
 * waits for a standby, the standby has both.
 */
export async function wasCommitted(database: Database, trace: Trace, mostMs: number): Promise<boolean | null> {
  const over = new AbortController();
  try {
    return await Promise.race([ask(database, trace, over.signal), pause(mostMs, null, { signal: over.signal })]);
  } finally {
    over.abort();
  }
}

async function ask(database: Database, trace: Trace, over: AbortSignal): Promise<boolean | null> {
  for (let waitMs = WAITS_MS.first; !over.aborted; waitMs = Math.min(2 * waitMs, WAITS_MS.longest)) {
    try {
      return await database.write(
        async (writer) => {
          await lockStreams(writer, [trace]);
          const hashes = await hashesOf(writer, [{ stream_id: trace.streamId, seq_no: trace.seqNo }]);
          return hashes.get(trace.streamId) === trace.eventHash;
        },
        { isLocking: true },
      );
    } catch {
      // The database that has just been lost may be away for a while, and this answer may be lost too.
    }
    await pause(waitMs);
  }
  return null;
}
