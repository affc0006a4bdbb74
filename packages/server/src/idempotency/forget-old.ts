/**
 * Idempotency records are kept for so many days and then removed, a few in each transaction, so that no append waits long behind it. A key
 * that is used again after that is a new one.
 */
import { setTimeout as pause } from "node:timers/promises";
import { serviceTime } from "@svc/host/clock";
import { LeasedLoop } from "@svc/host/jobs";
import type { Foundation } from "../foundation.ts";
import { anyIdempotencyRecordBefore, removeIdempotencyRecordsBefore } from "./store.ts";

const DAY_MS = 86_400_000;
const INTERVAL_MS = 60_000;
/** Records in one transaction. */
const PORTION = 200;
const PAUSE_MS = 20;

/** The job that removes them. `days`: how long they are kept; `onError` is told of what went wrong, and it is tried again. */
export function createForgetting(
  ground: Pick<Foundation, "database" | "clock">,
  { days, onError }: { readonly days: number; readonly onError: (error: unknown) => void },
): LeasedLoop {
  const { database, clock } = ground;
  const oldest = () => serviceTime(clock() - days * DAY_MS);
  return new LeasedLoop(ground, {
    jobName: "idempotency-records",
    intervalMs: INTERVAL_MS,
    onError,
    hasWork: () => database.read((reader) => anyIdempotencyRecordBefore(reader, oldest())),
    work: async (lease, stop) => {
      let removed = PORTION;
      while (removed === PORTION && !stop.aborted) {
        removed = await database.write(async (writer) => {
          await lease.hold(writer);
          return removeIdempotencyRecordsBefore(writer, oldest(), PORTION);
        });
        // An embedded database answers without leaving the thread: without a pause no request would be read between two portions.
        await pause(PAUSE_MS);
      }
    },
  });
}
