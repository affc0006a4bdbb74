/**
 * One HTTP exchange with the service, repeated if repeating is safe: same body, same idempotency key, growing pauses
 * with jitter, and at least as long as the service asks for.
 */
import { requireUncoded, UNCODED } from "./content-coding.ts";
import { SvcError } from "./error.ts";
import { jsonOf } from "./json-of.ts";
import { deadline, MAX_PAUSE_MS, MAX_RETRY_AFTER_MS, pause, pauseAfter, retryAfterMs } from "./retry.ts";
import { loadVerifier } from "./verifier/load-verifier.ts";
import { readAll } from "./verify/read-all.ts";

/** How to reach a service. */
export interface TransportOptions {
  /** The service's URL, without a path, as in `https://evidence.example`. */
  readonly baseUrl: string;
  /**
   * A system key; without one, only calls that need none succeed. Keep it in trusted server processes, never in a page.
   */
  readonly apiKey?: string | undefined;
  /** The time limit of one attempt with its answer's body, in milliseconds, 1 to 2,147,483,647; by default 30,000. */
  readonly timeoutMs?: number;
  /** The most attempts of a request, from 1; by default 5. */
  readonly maxAttempts?: number;
  /**
   * The most bytes of an answer; by default 64 MiB, and 512 MiB for an audit pack. Downloads of packages have no limit.
   */
  readonly maxAnswerBytes?: number;
  /** The `fetch` to use; by default the runtime's own. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Options of a write. */
export interface WriteOptions {
  /** 1 to 255 visible ASCII characters; by default a new one, which repeats of the same call keep. */
  readonly idempotencyKey?: string;
  /** Ends the call, which rejects with the signal's reason. The service may have recorded the request by then. */
  readonly signal?: AbortSignal;
}

/** A request from a method of the client. */
export interface ServiceRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal | undefined;
  /** The most bytes of the answer, if it can be larger than others. */
  readonly maxAnswerBytes?: number;
}

/** A request for a stream of bytes. */
export interface StreamRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The status that the answer must have. */
  readonly status: 200 | 206;
  readonly signal?: AbortSignal | undefined;
}

export const DEFAULT_TIMEOUT_MS = 30_000;
export const DEFAULT_MAX_ATTEMPTS = 5;
/** More than the answer to a batch of 16 MiB. */
export const DEFAULT_MAX_ANSWER_BYTES = 64 * 2 ** 20;
const VISIBLE_ASCII = /^[!-~]+$/;
const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;

export class Transport {
  readonly #options: TransportOptions;

  /**
   * Throws TypeError for options that could never be sent, without quoting the key, and RangeError for a number out of
   * its range.
   */
  constructor(options: TransportOptions) {
    const { baseUrl, apiKey, timeoutMs, maxAttempts, maxAnswerBytes } = options;
    requireRange("timeoutMs", timeoutMs, MAX_PAUSE_MS);
    requireRange("maxAttempts", maxAttempts, Number.POSITIVE_INFINITY);
    requireRange("maxAnswerBytes", maxAnswerBytes, Number.POSITIVE_INFINITY);
    if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
      throw new TypeError(`baseUrl is no http address: ${baseUrl}`);
    if (apiKey === "") throw new TypeError("apiKey is empty: set it, or leave it out for what needs no key");
    if (apiKey !== undefined && !VISIBLE_ASCII.test(apiKey))
      throw new TypeError("apiKey holds something else than visible ASCII: a line end that came with it, perhaps");
    this.#options = { ...options, baseUrl: baseUrl.replace(/\/+$/, "") };
  }

  /**
   * Sends a request and resolves to the body's bytes. Rejects with SvcError, with the reason of a signal that ends it,
   * and with TypeError for a malformed idempotency key.
   */
  async send(request: ServiceRequest): Promise<Uint8Array> {
    const key = request.idempotencyKey ?? "-";
    if (!VISIBLE_ASCII.test(key) || key.length > MAX_IDEMPOTENCY_KEY_CHARACTERS)
      throw new TypeError("an idempotency key is 1 to 255 visible ASCII characters");
    const maxAttempts = this.#options.maxAttempts ?? DEFAULT_MAX_ATTEMPTS;
    for (let attempt = 1; ; attempt++) {
      request.signal?.throwIfAborted();
      try {
        return await this.#attempt(request);
      } catch (error) {
        request.signal?.throwIfAborted();
        if (!(error instanceof SvcError)) throw error;
        error.idempotencyKey = request.idempotencyKey ?? null;
        error.attempts = attempt;
        if (!error.retryable || attempt >= maxAttempts || (error.retryAfterMs ?? 0) > MAX_RETRY_AFTER_MS) throw error;
        await pause(pauseAfter(attempt, error.retryAfterMs, Math.random()), request.signal);
      }
    }
  }

  /** Sends a request and resolves to the parsed JSON body. */
  async json<T>(request: ServiceRequest): Promise<T> {
    return parseAnswer<T>(request.path, await this.send(request));
  }

  /**
   * Sends JSON text under one idempotency key, so that it takes effect once however often it is repeated. Resolves to
   * the body's bytes.
   */
  writeBytes(
    path: string,
    body: string,
    { idempotencyKey, signal }: WriteOptions,
    answer: Pick<ServiceRequest, "maxAnswerBytes"> = {},
  ): Promise<Uint8Array> {
    const key = idempotencyKey ?? globalThis.crypto.randomUUID();
    return this.send({ ...answer, method: "POST", path, body, idempotencyKey: key, signal });
  }

  /** Sends a value in the same way, without its own members that are undefined. Resolves to the parsed JSON body. */
  async write<T>(path: string, body: unknown, options: WriteOptions): Promise<T> {
    return parseAnswer<T>(path, await this.writeBytes(path, jsonOf(body, { mayLack: true }), options));
  }

  /**
   * Fetches bytes by a path that carries its own ticket; sends no key. Resolves to the stream when the answer begins,
   * and the timeout ends there. Never repeats: a ticket works once. Rejects with SvcError, `unexpected_answer` for
   * another status than `status` and for a body in a content coding.
   */
  async stream({ path, headers, status, signal }: StreamRequest): Promise<ReadableStream<Uint8Array>> {
    const { baseUrl, timeoutMs = DEFAULT_TIMEOUT_MS, fetch = globalThis.fetch } = this.#options;
    // Another beginning could lead to another host: `https://evidence.example` and `.example/`.
    if (typeof path !== "string" || !path.startsWith("/"))
      throw new SvcError("unexpected_answer", "The service names a download that is not its own.", 200);
    // A separate controller, because the caller's signal still ends the stream after the timeout has been cleared.
    const ending = new AbortController();
    const limit = deadline(signal, timeoutMs);
    const abort = ({ target }: Event) => ending.abort((target as AbortSignal).reason);
    const watched = [limit.signal, signal];
    for (const each of watched) each?.addEventListener("abort", abort);
    const forget = () => {
      for (const each of watched) each?.removeEventListener("abort", abort);
    };
    let response: Response;
    try {
      limit.signal.throwIfAborted();
      const init = { headers: { ...headers, ...UNCODED }, redirect: "manual" as const, signal: ending.signal };
      response = await fetch(`${baseUrl}${path}`, init);
      requireUncoded(response);
      if (response.status !== status)
        throw toError(response, response.ok ? null : await this.#read(response, limit.signal, {}));
    } catch (cause) {
      forget();
      signal?.throwIfAborted();
      if (cause instanceof SvcError) throw cause;
      // The path contains the ticket.
      throw new SvcError("no_answer", `No answer from ${baseUrl}: ${reasonOf(cause)}`, null, { cause });
    } finally {
      limit.clear();
    }
    if (response.body) return endingWith(response.body, forget);
    forget();
    return new Blob([]).stream();
  }

  async #attempt(request: ServiceRequest): Promise<Uint8Array> {
    const { method, path, body, idempotencyKey, signal } = request;
    const { baseUrl, apiKey, timeoutMs = DEFAULT_TIMEOUT_MS, fetch = globalThis.fetch } = this.#options;
    const limit = deadline(signal, timeoutMs);
    let response: Response;
    let bytes: Uint8Array;
    try {
      response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: {
          ...UNCODED,
          accept: "application/json",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
          ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
        },
        ...(body === undefined ? {} : { body }),
        // Not every runtime can refuse redirects by itself.
        redirect: "manual",
        signal: limit.signal,
      });
      const named = response.headers.get("idempotency-key");
      if (named !== null && named !== (idempotencyKey ?? named))
        throw new SvcError("unexpected_answer", "The answer is one to another request: it names its key.", null);
      bytes = await this.#read(response, limit.signal, request);
    } catch (cause) {
      if (cause instanceof SvcError) throw cause;
      throw new SvcError("no_answer", `No answer from ${baseUrl}${path}: ${reasonOf(cause)}`, null, { cause });
    } finally {
      limit.clear();
    }
    if (!response.ok) throw toError(response, bytes);
    return bytes;
  }

  /**
   * Reads the body; a body without an end must not fill the memory. Throws SvcError `answer_too_large`, and
   * `unexpected_answer` for a body in a content coding.
   */
  async #read(
    response: Response,
    signal: AbortSignal,
    { maxAnswerBytes = DEFAULT_MAX_ANSWER_BYTES }: Pick<ServiceRequest, "maxAnswerBytes">,
  ): Promise<Uint8Array> {
    requireUncoded(response);
    const most = this.#options.maxAnswerBytes ?? maxAnswerBytes;
    // Not every `fetch` returns streams, and an answer without a body has none.
    if (!response.body) return new Uint8Array(await response.arrayBuffer());
    return readAll(response.body, most, signal).catch((error: unknown) => {
      if (!(error instanceof RangeError)) throw error;
      const message =
        `The answer has more than ${most} bytes, and was not read ` + `further. Set maxAnswerBytes where it may.`;
      throw new SvcError("answer_too_large", message, response.status);
    });
  }
}

/** Returns the stream, which calls `onEnd` when it has ended, has failed, or is wanted no more. */
function endingWith(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (!done) {
            controller.enqueue(value);
            return;
          }
          onEnd();
          controller.close();
        } catch (error) {
          onEnd();
          throw error;
        }
      },
      cancel: (reason) => {
        onEnd();
        return reader.cancel(reason);
      },
    },
    // Nothing is read before somebody asks for it.
    { highWaterMark: 0 },
  );
}

/**
 * Resolves to the value of a JSON answer, which must be an object. Rejects with SvcError `unexpected_answer` for
 * anything else, and for text that is not strict JSON.
 */
export async function parseAnswer<T>(path: string, bytes: Uint8Array): Promise<T> {
  const { parseJson } = await loadVerifier();
  const parsed = parseJson(bytes);
  const isObject = parsed.ok && typeof parsed.value === "object" && parsed.value !== null;
  if (isObject && !Array.isArray(parsed.value)) return parsed.value as T;
  const what = parsed.ok ? "a JSON object" : `JSON: ${parsed.code} at byte ${parsed.offset}`;
  const message = `${path} was answered with something else than ${what}.`;
  throw new SvcError("unexpected_answer", message, 200);
}

/** `bytes`: the body; null if the answer is no refusal but has another status than expected. */
function toError({ status, headers, type, body }: Response, bytes: Uint8Array | null): SvcError {
  if (bytes === null) {
    void body?.cancel();
    return new SvcError("unexpected_answer", `The service answered ${status}, which was not meant.`, status);
  }
  const asked = retryAfterMs(headers.get("retry-after"), Date.now());
  if (type === "opaqueredirect" || (status >= 300 && status < 400))
    // A service never redirects: a redirect comes from something else. Browsers do not say which redirect it was.
    return new SvcError("unexpected_answer", "The service sends elsewhere, and is not followed.", status || 302);
  try {
    const { detail } = JSON.parse(new TextDecoder().decode(bytes)) as { detail: { code: string; message: string } };
    // Other servers may have a member of this name: that is no refusal of the service's.
    if (typeof detail.code !== "string" || typeof detail.message !== "string") throw new TypeError("no code");
    const namesKey = headers.has("idempotency-key");
    return new SvcError(detail.code, detail.message, status, { detail, retryAfterMs: asked, namesKey });
  } catch {
    const message = `The service answered ${status} without saying why.`;
    return new SvcError("unexpected_answer", message, status, { retryAfterMs: asked });
  }
}

/** The error of `fetch` gives the reason only in its cause, which may have a code and no message. */
function reasonOf(error: unknown): string {
  const { message, code } = ((error as { cause?: unknown } | null)?.cause ?? {}) as { message?: string; code?: string };
  const why = message || code;
  return why ? `${error} (${why})` : String(error);
}

function requireRange(name: string, value: number | undefined, most: number): void {
  if (value === undefined || (value >= 1 && value <= most)) return;
  throw new RangeError(
    `${name} is a number from 1${most === Number.POSITIVE_INFINITY ? "" : ` to ${most}`}, not ${value}`,
  );
}
