/** How long a message of the outbox is put off after each failed attempt. */
import { serviceTime } from "../clock.ts";

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 300_000;

/** Returns how long a message waits that had failed `attempts` times before this one. */
export function retryMs(attempts: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts, 20), LAST_RETRY_MS);
}

/**
 * Returns the times between which no message is due: one that is put off further than any backoff was written before
 * the clock was set back.
 */
export function dueTimes(now: number) {
  return { now: serviceTime(now), furthest: serviceTime(now + LAST_RETRY_MS) };
}
