/** How many threads check. */
import { availableParallelism } from "node:os";

/** How many a call gets at most where it does not ask. */
const USUAL_JOBS = 4;

/** How many threads are used where a call does not say: as many as there are cores, at most 4. */
export function usualJobs(): number {
  return Math.min(availableParallelism(), USUAL_JOBS);
}
