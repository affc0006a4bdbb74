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
import { oldestRecordFrom, removeRecords } from "./store.ts";

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
  /** No record that may go is older than this. It is never later than the limit, so that none comes before it. */
  let from = "";
  const limit = () => {
    const time = serviceTime(clock() - days * DAY_MS);
    // The clock was set back.
    if (time < from) from = "";
    return time;
  };
  return new LeasedLoop(context, {
    jobName: "idempotency-records",
    intervalMs: INTERVAL_MS,
    onError: (error) => channel.publish(failed, error),
    hasWork: async () => {
      const before = limit();
      const oldest = await database.read((reader) => oldestRecordFrom(reader, from));
      const isOld = oldest !== null && oldest < before;
      from = isOld ? oldest : before;
      return isOld;
    },
    work: async (lease, stop) => {
      for (let isFull = true; isFull && !stop.aborted; ) {
        const before = limit();
        const { count, upTo } = await database.write(
          async (writer) => {
            await lease.hold(writer);
            return removeRecords(writer, { from, before }, PORTION);
          },
          // It depends on nothing but the age of what it removes, and records get no other age.
          { isLocking: true },
        );
        isFull = count === PORTION;
        from = upTo ?? from;
        // An embedded database answers without leaving the thread: without a pause no request would be read between two
        // portions.
        await pause(PAUSE_MS);
      }
    },
  });
}
