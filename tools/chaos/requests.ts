/** Requests as clients send them, which may get no answer at all. */

/** A request that records something, with the key under which it is repeated. */
export interface Write {
  readonly kind: "append" | "pack" | "erase";
  readonly streamId: string;
  readonly path: string;
  readonly body: string;
  readonly idempotencyKey: string;
  /** The event whose payload is to be erased; null for others. */
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

/** The answer; null where none came, or not a whole one, or not before `signal`. */
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
  return answered(fetch(url + path, { method: "POST", headers, body, signal }));
}

/** The answer; null where none came, or not a whole one. */
export function read({ url, apiKey }: Api, path: string): Promise<Answer | null> {
  return answered(fetch(url + path, { headers: { authorization: `Bearer ${apiKey}` } }));
}

async function answered(sent: Promise<Response>): Promise<Answer | null> {
  try {
    const response = await sent;
    return { status: response.status, text: await response.text() };
  } catch (error) {
    // What fetch throws where the connection ends, and where the time is over.
    if (error instanceof TypeError || (error as Error).name === "TimeoutError") return null;
    throw error;
  }
}
