/** The real server, queues on its streams, and proxies between the two. */
import assert from "node:assert/strict";
import { type AppendQueueOptions, type EventInput, SvcClient } from "../../src/index.ts";
import { startServer } from "../server.ts";

export const server = await startServer();
export const client = new SvcClient(server);
export const DAY_MS = 86_400_000;

export function reading(number: number, changes: Partial<EventInput> = {}): EventInput {
  return {
    source_ref: `reading-${number}`,
    event_type: "sensor.read",
    occurred_at: "2026-03-01T09:30:00.5+01:00",
    payload: { sensor: "S-17", number },
    ...changes,
  };
}

export const readings = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => reading(from + index));

export async function freshStreamId(): Promise<string> {
  return (await client.createStream({ system_id: server.systemId, use_case: "sensors", policy_id: "default" }))
    .stream_id;
}

/** Opens a queue on a stream. Its requests go through the test's own `fetch`, once each. */
export async function opened(streamId: string, options: AppendQueueOptions, own: typeof fetch = fetch) {
  const stream = new SvcClient({ ...server, fetch: own, maxAttempts: 1 }).stream(streamId);
  return { stream, queue: await stream.openQueue(options) };
}

/** Returns the source_refs of all events of a stream. */
export async function recorded(streamId: string): Promise<string[]> {
  const refs: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await client.stream(streamId).events({ limit: 500, ...(cursor === "" ? {} : { cursor }) });
    refs.push(...page.items.map(({ source_ref }) => source_ref));
    cursor = page.next_cursor;
  }
  return refs;
}

export const refsOf = (events: readonly Pick<EventInput, "source_ref">[]) => events.map(({ source_ref }) => source_ref);

/** Returns a `fetch` that loses answers after the service has given them, and the keys and bodies that it sent. */
export function losing(lost: (call: number) => boolean) {
  const sent: { key: string | null; body: unknown }[] = [];
  const own: typeof fetch = async (input, init) => {
    sent.push({ key: new Headers(init?.headers).get("idempotency-key"), body: init?.body });
    const isLost = lost(sent.length);
    const response = await fetch(input, init);
    if (!isLost) return response;
    await response.arrayBuffer();
    throw new TypeError("the connection was cut");
  };
  return { own, sent };
}

export const nobody: typeof fetch = async () => {
  throw new TypeError("refused");
};

/**
 * Returns a `fetch` that notes each request: its key, its predecessor, and its answer. `meanwhile` runs between it and
 * the network.
 */
export function noting(meanwhile: (call: number, go: () => Promise<Response>) => Promise<Response>) {
  const sent: { key: string | null; after: string | null; count: number; status: number | null }[] = [];
  // Requests reach the service in order: on a busy machine one could overtake another.
  let before: Promise<unknown> = Promise.resolve();
  const own: typeof fetch = async (input, init) => {
    const count = (JSON.parse(String(init?.body)) as { events: unknown[] }).events.length;
    const after = new URL(String(input)).searchParams.get("after_key");
    const call = sent.push({ key: new Headers(init?.headers).get("idempotency-key"), after, count, status: null });
    const response = await meanwhile(call, () => {
      const answered = before.then(() => fetch(input, init));
      before = answered.catch(() => undefined);
      return answered;
    });
    Object.assign(sent[call - 1] ?? {}, { status: response.status });
    return response;
  };
  return { own, sent };
}

/** Returns a `fetch` through a proxy that takes no more than so many events. */
export function small(most: number) {
  const own: typeof fetch = async (input, init) => {
    const { events } = JSON.parse(String(init?.body)) as { events: unknown[] };
    if (events.length > most) return new Response("<html>too large</html>", { status: 413 });
    return fetch(input, init);
  };
  return own;
}

export async function until(holds: () => boolean): Promise<void> {
  for (const deadline = performance.now() + 20_000; !holds(); ) {
    assert.ok(performance.now() < deadline, "it did not come true in time");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
