/** Requests of clients, which may get no answer at all. */
import { setImmediate as turnOfEventLoop } from "node:timers/promises";

/** A recording request, with the key under which it is repeated. */
export interface Write {
  readonly kind: "append" | "pack" | "erase";
  readonly streamId: string;
  readonly path: string;
  readonly body: string;
  readonly idempotencyKey: string;
  /** The event whose payload it erases; null for others. */
  readonly eventId: string | null;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A server, and a key that it knows. */
export interface Api {
  readonly url: string;
  readonly apiKey: string;
}

/** Resolves to the answer; null if none came, or only a part, or not before `signal`. */
export async function write(
  { url, apiKey }: Api,
  { path, body, idempotencyKey }: Pick<Write, "path" | "body" | "idempotencyKey">,
  signal: AbortSignal | null = null,
): Promise<Answer | null> {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    "content-type": "application/json",
    "idempotency-key": idempotencyKey,
  };
  return answered(url + path, { method: "POST", headers, body, signal });
}

/** Resolves to the answer; null if none came, or only a part, or not before `signal`. */
export function read({ url, apiKey }: Api, path: string, signal: AbortSignal | null = null): Promise<Answer | null> {
  return answered(url + path, { headers: { authorization: `Bearer ${apiKey}` }, signal });
}

async function answered(url: string, request: RequestInit): Promise<Answer | null> {
  // A bundle can take longer to verify than a server keeps an idle connection, and its end is heard in a turn only.
  await turnOfEventLoop();
  try {
    const response = await fetch(url, request);
    return { status: response.status, text: await response.text() };
  } catch (error) {
    // The errors of fetch for a connection that ends, and for the timeout.
    if (error instanceof TypeError || (error as Error).name === "TimeoutError") return null;
    throw error;
  }
}
