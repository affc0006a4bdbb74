/** A database on a server, for one process alone until its transaction ends. */
import { type Clock, serviceTime } from "@svc/host/clock";
import type { Writer } from "@svc/host/store";
import { requireNobody } from "../deployment/exclusive-use.ts";
import { heldJob, lockAllTables, type TablesOf } from "./rows-store.ts";

/** Longer than any lease: one that ends later is of a clock that was wrong. */
const LONGEST_LEASE_MS = 60_000;

/**
 * Locks all tables until the transaction ends. Rejects with DataFolderError if others use the database. `writer`: on
 * the caller's only connection.
 */
export async function takeExclusiveLock(writer: Writer, program: TablesOf, clock: Clock): Promise<void> {
  await requireNobody(writer);
  await lockAllTables(writer, program);
  // From here on nobody else reads or writes; one who is connected already would go on when the lock is gone.
  await requireNobody(writer, () => {
    const now = clock();
    return heldJob(writer, serviceTime(now), serviceTime(now + LONGEST_LEASE_MS));
  });
}
