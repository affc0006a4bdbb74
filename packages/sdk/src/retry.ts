/**
 * When to send a failed request again: growing pauses with jitter, never shorter than the service asks for (RFC 9110
 * section 10.2.3). The caller's signal ends them.
 */

export const FIRST_PAUSE_MS = 100;
export const LONGEST_PAUSE_MS = 10_000;
/** A longer wait is reported to the caller at once: a service must not be able to stop a program. */
export const MAX_RETRY_AFTER_MS = 60_000;
/** The longest pause of a timer; a longer one would end at once. */
export const MAX_PAUSE_MS = 2 ** 31 - 1;

const DELAY_SECONDS = /^\d{1,9}$/;

/**
 * Returns how long an answer asks to wait, in milliseconds; null for a missing or unreadable header. `now`:
 * milliseconds since 1970.
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (DELAY_SECONDS.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/**
 * Returns the pause after an attempt, counted from 1, in milliseconds. `asked`: what the answer asked for. `random`:
 * from 0 up to 1.
 */
export function pauseAfter(attempt: number, asked: number | null, random: number): number {
  const growing = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
  return Math.max(growing * (0.5 + random / 2), asked ?? 0);
}

/** Resolves after a time. Rejects with the signal's reason as soon as it is aborted. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", end, { once: true });
  });
}

/** Returns a signal that aborts with the caller's, or after so many milliseconds. `clear` stops the timer. */
export function deadline(
  signal: AbortSignal | undefined,
  milliseconds: number,
): { readonly signal: AbortSignal; readonly clear: () => void } {
  const controller = new AbortController();
  const follow = () => controller.abort(signal?.reason);
  const timer = setTimeout(
    () => controller.abort(new DOMException(`no answer within ${milliseconds} ms`, "TimeoutError")),
    milliseconds,
  );
  if (signal?.aborted) follow();
  else signal?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", follow);
    },
  };
}
