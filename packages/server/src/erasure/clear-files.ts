/**
 * What follows an erasure: the files of the database forget it as well, where old pages may hold it until they are written over. Tried until it
 * succeeds, also after a crash; readers that are under way can put it off.
 */
import { serviceTime } from "@svc/host/clock";
import { LeasedLoop } from "@svc/host/jobs";
import type { Context } from "../context.ts";
import { failed } from "../notices.ts";
import { markCleared, unclearedErasures } from "./erasures-store.ts";

const INTERVAL_MS = 1000;
/** Erasures that are marked in one transaction, so that no append waits long behind it. */
const PORTION = 500;

export function createFileClearing({
  embedded: database,
  clock,
  channel,
}: Pick<Context, "embedded" | "clock" | "channel">): LeasedLoop {
  return new LeasedLoop(
    { database, clock },
    {
      jobName: "file-clearing",
      intervalMs: INTERVAL_MS,
      onError: (error) => channel.publish(failed, error),
      hasWork: async () => (await database.read((reader) => unclearedErasures(reader, 1))).length > 0,
      work: async () => {
        // By their names: where a clock was set back, an erasure that comes meanwhile may have an earlier time than one of these.
        const erased = await database.read((reader) => unclearedErasures(reader, PORTION));
        if (erased.length === 0 || !(await database.forgetDeleted())) return;
        await database.write((writer) => markCleared(writer, erased, serviceTime(clock())));
      },
    },
  );
}
