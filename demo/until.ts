/** Waiting for what a running program does by itself. */
import assert from "node:assert/strict";

const DEADLINE_MS = 30_000;
const POLL_MS = 100;

/** Asks again and again, and resolves to the first answer that is not null. Rejects when it takes too long. */
export async function until<T>(what: string, ask: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    assert.ok(performance.now() < deadline, `${what}: it did not happen in time`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
