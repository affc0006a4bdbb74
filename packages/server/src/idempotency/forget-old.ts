/**
 * Removes idempotency records after a number of days, a few in each transaction, so that no append waits long behind
 * it. A key that is used again afterwards is a new one.
 */
import { setTimeout as pause } from "node:timers/promises";
import { serviceTime } from "@svc/host/clock";
import { LeasedLoop } from "@svc/host/jobs";
import type { ValuesOf } from "@svc/host/settings";
import type { Context } from "../context.ts";
import { failed } from "../notices.ts";
import type { idempotencySettings } from "./settings.ts";
import { anyIdempotencyRecordBefore, removeIdempotencyRecordsBefore } from "./store.ts";

const DAY_MS = 86_400_000;
const INTERVAL_MS = 60_000;
/** Records in one transaction. */
const PORTION = 200;
const PAUSE_MS = 20;

/** Returns the job that removes them. It publishes its errors, and tries again. */
export function createForgetting(
  context: Pick<Context, "database" | "clock" | "channel">,
  { idempotencyDays: days }: ValuesOf<typeof idempotencySettings>,
): LeasedLoop {
  const { database, clock, channel } = context;
  const oldest = () => serviceTime(clock() - days * DAY_MS);
  return new LeasedLoop(context, {
    jobName: "idempotency-records",
    intervalMs: INTERVAL_MS,
    onError: (error) => channel.publish(failed, error),
    hasWork: () => database.read((reader) => anyIdempotencyRecordBefore(reader, oldest())),
    work: async (lease, stop) => {
      let removed = PORTION;
      while (removed === PORTION && !stop.aborted) {
        removed = await database.write(
          async (writer) => {
            await lease.hold(writer);
            return removeIdempotencyRecordsBefore(writer, oldest(), PORTION);
          },
          // It depends on nothing but the age of what it removes, and records get no other age.
          { isLocking: true },
        );
        // An embedded database answers without leaving the thread: without a pause no request would be read between two
        // portions.
        await pause(PAUSE_MS);
      }
    },
  });
}
