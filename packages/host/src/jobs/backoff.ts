/** When a message of the outbox is tried again after a failed attempt. */
import { serviceTime } from "../clock.ts";

/** The times of the attempts for a kind of messages. */
export interface Schedule {
  /**
   * Returns when a message is tried again whose attempt failed `now`, after `attempts` failed ones. Both times are in
   * ms since 1970.
   */
  readonly retryAt: (attempts: number, now: number) => number;
  /** How far ahead such a time may be, in ms. A message that is put off further is older than a clock set back. */
  readonly furthestMs: number;
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 300_000;

/** Returns how long a message waits that had failed `attempts` times before this one. */
export function retryMs(attempts: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts, 20), LAST_RETRY_MS);
}

/** Twice the wait after each failure, from a second up to five minutes. */
export const BACK_OFF: Schedule = {
  retryAt: (attempts, now) => now + retryMs(attempts),
  furthestMs: LAST_RETRY_MS,
};

/**
 * Returns the times between which no message is due: one that is put off further than `furthestMs` was written before
 * the clock was set back.
 */
export function dueTimes(now: number, furthestMs: number) {
  return { now: serviceTime(now), furthest: serviceTime(now + furthestMs) };
}
