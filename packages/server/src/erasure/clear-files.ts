/**
 * What follows an erasure: the files of the database forget it as well, where old pages may hold it until they are written over. Tried until it
 * succeeds, also after a crash; readers that are under way can put it off.
 */
import { serviceTime } from "../clock.ts";
import type { Foundation } from "../foundation.ts";
import { LeasedLoop } from "../jobs/leased-loop.ts";
import { latestUncleared, markCleared } from "./erasures-store.ts";

const INTERVAL_MS = 1000;

export function createFileClearing(
  ground: Pick<Foundation, "database" | "clock">,
  onError: (error: unknown) => void,
): LeasedLoop {
  const { database, clock } = ground;
  return new LeasedLoop(ground, {
    jobName: "file-clearing",
    intervalMs: INTERVAL_MS,
    onError,
    hasWork: async () => (await database.read(latestUncleared)) !== null,
    work: async () => {
      const erasedUpTo = await database.read(latestUncleared);
      if (erasedUpTo === null || !(await database.forgetDeleted())) return;
      await database.write((writer) => markCleared(writer, erasedUpTo, serviceTime(clock())));
    },
  });
}
