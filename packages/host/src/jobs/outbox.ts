/**
 * Runs errands of the outbox whose work is itself in the database: work and mark are one transaction, so such an errand is done exactly
 * once. Errands that leave the machine will claim a lease of their own first; they are NOT served here yet.
 */
import { serviceTime } from "../clock.ts";
import type { Writer } from "../store/database.ts";
import { type JobContext, type Lease, LeaseLost } from "./lease.ts";
import { dueErrands, type Errand, markDone, markFailed } from "./outbox-store.ts";

const ERRANDS_PER_ROUND = 256;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 300_000;

export interface ErrandRunner {
  run(writer: Writer, errand: Errand): Promise<void>;
  /** Told of each errand that is done, after its commit. */
  onDone?(errand: Errand): void;
  onError(error: unknown): void;
}

export async function anyErrandDue({ database, clock }: JobContext, kind: string): Promise<boolean> {
  return (await database.read((reader) => dueErrands(reader, kind, dueTimes(clock()), 1))).length > 0;
}

/** Runs what is due, in order; one that fails is put off and holds up no other. */
export async function runDueErrands(
  { database, clock }: JobContext,
  kind: string,
  lease: Lease,
  stop: AbortSignal,
  runner: ErrandRunner,
): Promise<void> {
  const errands = await database.read((reader) => dueErrands(reader, kind, dueTimes(clock()), ERRANDS_PER_ROUND));
  for (const errand of errands) {
    if (stop.aborted) return;
    try {
      const isDone = await database.write(async (writer) => {
        await lease.hold(writer);
        if (!(await markDone(writer, errand, serviceTime(clock())))) return false;
        await runner.run(writer, errand);
        return true;
      });
      if (isDone) runner.onDone?.(errand);
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      runner.onError(error);
      const waitMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(errand.attempts, 20), LAST_RETRY_MS);
      const message = error instanceof Error ? error.message : "unknown";
      await database.write((writer) => markFailed(writer, errand, message, serviceTime(clock() + waitMs)));
    }
  }
}

function dueTimes(now: number) {
  return { now: serviceTime(now), furthest: serviceTime(now + LAST_RETRY_MS) };
}
