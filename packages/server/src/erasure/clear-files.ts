/**
 * The work after an erasure: the files of the database must forget the payload too, since old pages may hold it until
 * they are overwritten. It is repeated until it succeeds, also after a crash; running readers can delay it.
 */
import { serviceTime } from "@svc/host/clock";
import { LeasedLoop } from "@svc/host/jobs";
import type { EmbeddedDatabase } from "@svc/host/store";
import type { Context } from "../context.ts";
import { failed } from "../notices.ts";
import { markCleared, unclearedErasures } from "./erasures-store.ts";

const INTERVAL_MS = 1000;
/** The most erasures that are marked in one transaction, so that no append waits long behind it. */
const PORTION = 500;

/** Returns the job that clears the files. */
export function createFileClearing({
  database,
  clock,
  channel,
}: { readonly database: EmbeddedDatabase } & Pick<Context, "clock" | "channel">): LeasedLoop {
  return new LeasedLoop(
    { database, clock },
    {
      jobName: "file-clearing",
      intervalMs: INTERVAL_MS,
      onError: (error) => channel.publish(failed, error),
      hasWork: async () => (await database.read((reader) => unclearedErasures(reader, 1))).length > 0,
      work: async () => {
        // Erasures are marked by id: if the clock was set back, a newer erasure may have an earlier time than one of
        // these.
        const erased = await database.read((reader) => unclearedErasures(reader, PORTION));
        if (erased.length === 0 || !(await database.forgetDeleted())) return;
        await database.write((writer) => markCleared(writer, erased, serviceTime(clock())));
      },
    },
  );
}
