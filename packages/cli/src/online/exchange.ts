/**
 * The one place from which `svc` opens a connection. It imports nothing, and only the commands that ask a server load it, at the moment
 * they do: an offline command never runs a line of it. Everything is bounded: one request, 30 s in all, 64 MiB, no redirect.
 */

/** How long an exchange may take in all, in milliseconds. */
export const TIMEOUT_MS = 30_000;
/** The largest answer that is read, in bytes: 64 MiB. */
export const MAX_RESPONSE_BYTES = 64 * 1024 ** 2;

/** An answer, or why there is none. */
export type Exchange =
  | { readonly ok: true; readonly status: number; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly why: "unreachable" | "timeout" | "too_large" | "redirect"; readonly detail: string };

/** Sends JSON with POST and reads the whole answer. Never throws because of what a server does. */
export async function postJson(url: string, body: Uint8Array, timeoutMs: number = TIMEOUT_MS): Promise<Exchange> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json" },
      body: body as Uint8Array<ArrayBuffer>,
      // What answers elsewhere is something else than the server that was asked.
      redirect: "manual",
      signal,
    });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      return { ok: false, why: "redirect", detail: response.headers.get("location") ?? "nowhere" };
    }
    const bytes = await readBounded(response);
    return bytes === null ? { ok: false, why: "too_large", detail: "" } : { ok: true, status: response.status, bytes };
  } catch (error) {
    if (signal.aborted) return { ok: false, why: "timeout", detail: "" };
    const { message, cause } = error as Error & { cause?: { code?: unknown; message?: string } };
    return { ok: false, why: "unreachable", detail: String(cause?.code ?? cause?.message ?? message) };
  }
}

/** The body; null where it is larger than is read. */
async function readBounded(response: Response): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of response.body ?? []) {
    total += chunk.length;
    if (total > MAX_RESPONSE_BYTES) return null;
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
