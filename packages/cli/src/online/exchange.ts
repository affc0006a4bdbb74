/**
 * The one place from which `svc` opens a connection. It imports nothing, and only the commands that ask a server load
 * it, at the moment they do: an offline command never runs a line of it. Everything is bounded: one request, its total
 * time, its answer, no redirect, no content coding, of which a few bytes can be decoded to gigabytes.
 */

/** The longest exchange, in milliseconds, and the largest answer, in bytes. */
export interface ExchangeLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/**
 * An answer, or the reason why it is missing. `detail` is the word of the system, the target of a redirect, or the
 * coding. It is empty if `why` says all.
 */
export type Exchange = Answer | NoAnswer;
export interface Answer {
  readonly ok: true;
  readonly status: number;
  readonly bytes: Uint8Array;
}
export interface NoAnswer {
  readonly ok: false;
  readonly why: "unreachable" | "timeout" | "too_large" | "redirect" | "coded";
  readonly detail: string;
}

/**
 * Sends a GET for JSON and reads the whole answer. `apiKey`: a key of the service; empty for none. Never throws because
 * of the server.
 */
export function getJson(url: string, limits: ExchangeLimits, apiKey = ""): Promise<Exchange> {
  const authorization = apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` };
  return exchange(url, { method: "GET", headers: { accept: "application/json", ...authorization } }, limits);
}

/** Sends JSON with POST and reads the whole answer. Never throws because of the server. */
export function postJson(url: string, body: Uint8Array, limits: ExchangeLimits): Promise<Exchange> {
  const headers = { accept: "application/json", "content-type": "application/json" };
  return exchange(url, { method: "POST", headers, body: body as Uint8Array<ArrayBuffer> }, limits);
}

async function exchange(url: string, request: RequestInit, { timeoutMs, maxBytes }: ExchangeLimits): Promise<Exchange> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    // An answer from elsewhere is not the answer of the server that was asked.
    const headers = { ...request.headers, "accept-encoding": "identity" };
    const response = await fetch(url, { ...request, headers, redirect: "manual", signal });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      return { ok: false, why: "redirect", detail: response.headers.get("location") ?? "nowhere" };
    }
    const coding = response.headers.get("content-encoding")?.trim() ?? "";
    if (!/^(?:identity)?$/i.test(coding)) {
      await response.body?.cancel();
      return { ok: false, why: "coded", detail: coding };
    }
    const bytes = await readBounded(response, maxBytes);
    return bytes === null ? { ok: false, why: "too_large", detail: "" } : { ok: true, status: response.status, bytes };
  } catch (error) {
    if (signal.aborted) return { ok: false, why: "timeout", detail: "" };
    const { message, cause } = error as Error & { cause?: { code?: unknown; message?: string } };
    return { ok: false, why: "unreachable", detail: String(cause?.code ?? cause?.message ?? message) };
  }
}

/** Resolves to the body; null if it is larger than the limit. */
async function readBounded(response: Response, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of response.body ?? []) {
    total += chunk.length;
    if (total > maxBytes) return null;
    chunks.push(chunk);
  }
  const whole = new Uint8Array(total);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
