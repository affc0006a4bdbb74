/** How many threads check. */
/** How many a call gets at most where it does not ask. */
const USUAL_JOBS = 4;

/** How many threads are used where a call does not say: as many as there are cores, at most 4. */
export async function usualJobs(): Promise<number> {
  // Loaded by those few calls that ask: a small file needs no thread.
  const { availableParallelism } = await import("node:os");
  return Math.min(availableParallelism(), USUAL_JOBS);
}
