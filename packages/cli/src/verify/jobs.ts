/** The number of threads that check. */
/** A call gets at most so many unless it names a number. */
const USUAL_JOBS = 4;

/** Resolves to the number of threads for a call that names none: as many as there are cores, at most 4. */
export async function usualJobs(): Promise<number> {
  // Loaded only for the few calls that ask: a small file needs no thread.
  const { availableParallelism } = await import("node:os");
  return Math.min(availableParallelism(), USUAL_JOBS);
}
