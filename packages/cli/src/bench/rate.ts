/** Measures how often something is done in a second. */

/**
 * Runs `work` again and again for `forMs` milliseconds, at least once. It runs once before the clock starts, so that
 * compiling does not count. Returns runs a second.
 */
export function rateOf(work: () => void, forMs: number): number {
  work();
  const startedAt = performance.now();
  let runs = 0;
  let elapsed = 0;
  do {
    work();
    runs++;
    elapsed = performance.now() - startedAt;
  } while (elapsed < forMs);
  return (1000 * runs) / elapsed;
}
