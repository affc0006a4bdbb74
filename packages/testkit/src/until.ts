/** Waits in tests: for a condition, with a deadline, and never for a time. */
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";

const DEADLINE_MS = 20_000;

/** Asks again after each pause until the answer is not null, and resolves to it. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | null>,
  pauseMs = 20,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    assert.ok(performance.now() < deadline, `not within ${deadlineMs} ms: ${what}`);
    await pause(pauseMs);
  }
}
