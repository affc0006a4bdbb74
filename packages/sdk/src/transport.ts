/**
 * One HTTP exchange with the service, repeated where repeating is safe: same body, same idempotency key, growing pauses with jitter.
 */
import { selectKernel } from "@svc/core";
import { SvcError } from "./error.ts";

/** How to reach a service. */
export interface TransportOptions {
  /** The service's URL, without a path, as in `https://evidence.example`. */
  readonly baseUrl: string;
  /** A system key. It belongs into trusted server processes only, never into a page. */
  readonly apiKey?: string;
  /** How long one attempt may take, in milliseconds; 30,000 where not given. */
  readonly timeoutMs?: number;
  /** How often a request is sent at most; 5 where not given. */
  readonly maxAttempts?: number;
  /** The `fetch` to use; the runtime's own where not given. */
  readonly fetch?: typeof globalThis.fetch;
}

/** How something is recorded. */
export interface WriteOptions {
  /** 1 to 255 visible ASCII characters. Made for you where not given, and kept across repeats of the same call. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** A request as the client's methods state it. */
export interface ServiceRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal | undefined;
}

/** A request for bytes as they come. */
export interface StreamRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What the answer must be. */
  readonly status: 200 | 206;
  readonly signal?: AbortSignal | undefined;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 100;
const VISIBLE_ASCII = /^[!-~]+$/;
const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;

export class Transport {
  readonly #options: TransportOptions;

  /** Throws TypeError for what could never be sent; it does not quote the key. */
  constructor(options: TransportOptions) {
    const { baseUrl, apiKey } = options;
    if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
      throw new TypeError(`baseUrl is no http address: ${baseUrl}`);
    if (apiKey !== undefined && !VISIBLE_ASCII.test(apiKey))
      throw new TypeError("apiKey holds something else than visible ASCII: a line end that came with it, perhaps");
    this.#options = { ...options, baseUrl: baseUrl.replace(/\/+$/, "") };
  }

  /** Sends a request and answers with the body's bytes. Throws SvcError, and TypeError for an idempotency key that is none. */
  async send(request: ServiceRequest): Promise<Uint8Array> {
    const key = request.idempotencyKey ?? "-";
    if (!VISIBLE_ASCII.test(key) || key.length > MAX_IDEMPOTENCY_KEY_CHARACTERS)
      throw new TypeError("an idempotency key is 1 to 255 visible ASCII characters");
    const maxAttempts = this.#options.maxAttempts ?? DEFAULT_MAX_ATTEMPTS;
    // Serialized once, so that every attempt carries the same bytes.
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(request, body);
      } catch (error) {
        if (!(error instanceof SvcError) || !error.retryable || attempt >= maxAttempts || request.signal?.aborted)
          throw error;
        await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2));
      }
    }
  }

  /** Sends a request and answers with the parsed JSON body. */
  async json<T>(request: ServiceRequest): Promise<T> {
    return parseAnswer<T>(request.path, await this.send(request));
  }

  /** Sends a body under one idempotency key, so that it takes effect once however often it is repeated. */
  write<T>(path: string, body: unknown, { idempotencyKey, signal }: WriteOptions): Promise<T> {
    const key = idempotencyKey ?? globalThis.crypto.randomUUID();
    return this.json({ method: "POST", path, body, idempotencyKey: key, signal });
  }

  /**
   * Fetches bytes by a path that carries its own ticket, and answers with them as they come; no key is sent. Not repeated: a ticket is good once.
   * The timeout counts until the answer begins. Throws SvcError, `unexpected_answer` for another status than the one that is meant.
   */
  async stream({ path, headers, status, signal }: StreamRequest): Promise<ReadableStream<Uint8Array>> {
    const { baseUrl, timeoutMs = DEFAULT_TIMEOUT_MS, fetch = globalThis.fetch } = this.#options;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new DOMException("no answer in time", "TimeoutError")), timeoutMs);
    let response: Response;
    try {
      response = await fetch(`${baseUrl}${path}`, {
        headers,
        redirect: "error",
        signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
      });
    } catch (cause) {
      // The path has the ticket in it.
      throw new SvcError("no_answer", `No answer from ${baseUrl}: ${String(cause)}`, null, {}, cause);
    } finally {
      clearTimeout(timer);
    }
    if (response.status >= 400) throw toError(response.status, new Uint8Array(await response.arrayBuffer()));
    if (response.status === status && response.body !== null) return response.body;
    await response.body?.cancel();
    throw new SvcError(
      "unexpected_answer",
      `The service answered ${response.status} where ${status} was meant.`,
      response.status,
    );
  }

  async #attempt(request: ServiceRequest, body: string | undefined): Promise<Uint8Array> {
    const { baseUrl, apiKey, timeoutMs = DEFAULT_TIMEOUT_MS, fetch = globalThis.fetch } = this.#options;
    const timeout = AbortSignal.timeout(timeoutMs);
    let response: Response;
    let bytes: Uint8Array;
    try {
      response = await fetch(`${baseUrl}${request.path}`, {
        method: request.method,
        headers: {
          accept: "application/json",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
          ...(request.idempotencyKey === undefined ? {} : { "idempotency-key": request.idempotencyKey }),
        },
        ...(body === undefined ? {} : { body }),
        // A service does not redirect: what answers elsewhere is something else.
        redirect: "error",
        signal: request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout]),
      });
      bytes = new Uint8Array(await response.arrayBuffer());
    } catch (cause) {
      throw new SvcError("no_answer", `No answer from ${baseUrl}${request.path}: ${String(cause)}`, null, {}, cause);
    }
    if (!response.ok) throw toError(response.status, bytes);
    return bytes;
  }
}

/** The value of a JSON answer. Throws SvcError `unexpected_answer` for what is no strict JSON. */
export function parseAnswer<T>(path: string, bytes: Uint8Array): T {
  const parsed = selectKernel().parseJson(bytes);
  if (parsed.ok) return parsed.value as T;
  const message = `${path} was answered with something else than JSON: ${parsed.code} at byte ${parsed.offset}.`;
  throw new SvcError("unexpected_answer", message, 200);
}

function toError(status: number, bytes: Uint8Array): SvcError {
  const text = new TextDecoder().decode(bytes);
  try {
    const { detail } = JSON.parse(text) as { detail: { code: string; message: string } };
    return new SvcError(detail.code, detail.message, status, detail);
  } catch {
    return new SvcError("unexpected_answer", `The service answered ${status} without saying why.`, status);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
