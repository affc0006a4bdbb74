/**
 * One HTTP exchange with the service, repeated where repeating is safe: same body, same idempotency key, growing pauses with jitter, and as long
 * as the service asks for.
 */
import { SvcError } from "./error.ts";
import { jsonOf } from "./json-of.ts";
import { deadline, MAX_PAUSE_MS, MAX_RETRY_AFTER_MS, pause, pauseAfter, retryAfterMs } from "./retry.ts";
import { loadVerifier } from "./verifier/load-verifier.ts";
import { readAll } from "./verify/read-all.ts";

/** How to reach a service. */
export interface TransportOptions {
  /** The service's URL, without a path, as in `https://evidence.example`. */
  readonly baseUrl: string;
  /** A system key; without one, only what needs none can be asked for. It belongs into trusted server processes only, never into a page. */
  readonly apiKey?: string | undefined;
  /** How long one attempt may take, its answer's body included, in milliseconds, 1 to 2,147,483,647; 30,000 where not given. */
  readonly timeoutMs?: number;
  /** How often a request is sent at most, from 1; 5 where not given. */
  readonly maxAttempts?: number;
  /** How many bytes of an answer are read at most; where not given 64 MiB, and 512 MiB of an audit pack. Downloads of packages have no bound. */
  readonly maxAnswerBytes?: number;
  /** The `fetch` to use; the runtime's own where not given. */
  readonly fetch?: typeof globalThis.fetch;
}

/** How something is recorded. */
export interface WriteOptions {
  /** 1 to 255 visible ASCII characters. Made for you where not given, and kept across repeats of the same call. */
  readonly idempotencyKey?: string;
  /** Ends the call, which rejects with the signal's reason. What was sent by then may have been recorded. */
  readonly signal?: AbortSignal;
}

/** A request as the client's methods state it. */
export interface ServiceRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal | undefined;
  /** How large an answer can be, where it can be larger than others. */
  readonly maxAnswerBytes?: number;
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
/** Above what a batch of 16 MiB is answered with. */
const DEFAULT_MAX_ANSWER_BYTES = 64 * 2 ** 20;
const VISIBLE_ASCII = /^[!-~]+$/;
const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;

export class Transport {
  readonly #options: TransportOptions;

  /** Throws TypeError for what could never be sent; it does not quote the key. RangeError for a number that is out of its range. */
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
   * Sends a request and answers with the body's bytes. Throws SvcError, the signal's reason where that ends it, and TypeError for an idempotency
   * key that is none.
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

  /** Sends a request and answers with the parsed JSON body. */
  async json<T>(request: ServiceRequest): Promise<T> {
    return parseAnswer<T>(request.path, await this.send(request));
  }

  /** Sends JSON text under one idempotency key, so that it takes effect once however often it is repeated. Answers with the body's bytes. */
  writeBytes(
    path: string,
    body: string,
    { idempotencyKey, signal }: WriteOptions,
    answer: Pick<ServiceRequest, "maxAnswerBytes"> = {},
  ): Promise<Uint8Array> {
    const key = idempotencyKey ?? globalThis.crypto.randomUUID();
    return this.send({ ...answer, method: "POST", path, body, idempotencyKey: key, signal });
  }

  /** The same of a value, whose own members that are undefined are left out, answered with the parsed JSON body. */
  async write<T>(path: string, body: unknown, options: WriteOptions): Promise<T> {
    return parseAnswer<T>(path, await this.writeBytes(path, jsonOf(body, { mayLack: true }), options));
  }

  /**
   * Fetches bytes by a path that carries its own ticket, and answers with them as they come; no key is sent. Not repeated: a ticket is good once.
   * The timeout counts until the answer begins. Throws SvcError, `unexpected_answer` for another status than the one that is meant.
   */
  async stream({ path, headers, status, signal }: StreamRequest): Promise<ReadableStream<Uint8Array>> {
    const { baseUrl, timeoutMs = DEFAULT_TIMEOUT_MS, fetch = globalThis.fetch } = this.#options;
    // Another beginning could lead to another host: `https://evidence.example` and `.example/`.
    if (typeof path !== "string" || !path.startsWith("/"))
      throw new SvcError("unexpected_answer", "The service names a download that is not its own.", 200);
    // Of its own, since the caller's signal still ends the stream when the time for its beginning is no longer counted.
    const ending = new AbortController();
    const limit = deadline(signal, timeoutMs);
    for (const each of [limit.signal, signal])
      each?.addEventListener("abort", () => ending.abort(each.reason), { once: true });
    let response: Response;
    try {
      limit.signal.throwIfAborted();
      response = await fetch(`${baseUrl}${path}`, { headers, redirect: "manual", signal: ending.signal });
      if (response.status !== status)
        throw toError(response, response.ok ? null : await this.#read(response, limit.signal, {}));
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof SvcError) throw cause;
      // The path has the ticket in it.
      throw new SvcError("no_answer", `No answer from ${baseUrl}: ${reasonOf(cause)}`, null, { cause });
    } finally {
      limit.clear();
    }
    return response.body ?? new Blob([]).stream();
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
          accept: "application/json",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
          ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
        },
        ...(body === undefined ? {} : { body }),
        // Not every runtime knows how to refuse redirects by itself.
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

  /** The body. A body without an end must not fill the memory. Throws SvcError `answer_too_large`. */
  async #read(
    response: Response,
    signal: AbortSignal,
    { maxAnswerBytes = DEFAULT_MAX_ANSWER_BYTES }: Pick<ServiceRequest, "maxAnswerBytes">,
  ): Promise<Uint8Array> {
    const most = this.#options.maxAnswerBytes ?? maxAnswerBytes;
    // Not every `fetch` gives its answers as streams, and an answer without a body has none.
    if (!response.body) return new Uint8Array(await response.arrayBuffer());
    return readAll(response.body, most, signal).catch((error: unknown) => {
      if (!(error instanceof RangeError)) throw error;
      const message = `The answer has more than ${most} bytes, and was not read further. Set maxAnswerBytes where it may.`;
      throw new SvcError("answer_too_large", message, response.status);
    });
  }
}

/** The value of a JSON answer, which is an object. Throws SvcError `unexpected_answer` for another one, and for what is no strict JSON. */
export async function parseAnswer<T>(path: string, bytes: Uint8Array): Promise<T> {
  const { parseJson } = await loadVerifier();
  const parsed = parseJson(bytes);
  const isObject = parsed.ok && typeof parsed.value === "object" && parsed.value !== null;
  if (isObject && !Array.isArray(parsed.value)) return parsed.value as T;
  const what = parsed.ok ? "a JSON object" : `JSON: ${parsed.code} at byte ${parsed.offset}`;
  const message = `${path} was answered with something else than ${what}.`;
  throw new SvcError("unexpected_answer", message, 200);
}

/** `bytes`: of the body; null where the answer is no refusal, and not the one that was meant. */
function toError({ status, headers, type, body }: Response, bytes: Uint8Array | null): SvcError {
  if (bytes === null) {
    void body?.cancel();
    return new SvcError("unexpected_answer", `The service answered ${status}, which was not meant.`, status);
  }
  const asked = retryAfterMs(headers.get("retry-after"), Date.now());
  if (type === "opaqueredirect" || (status >= 300 && status < 400))
    // A service does not redirect: what answers elsewhere is something else. Browsers do not say which redirect it was.
    return new SvcError("unexpected_answer", "The service sends elsewhere, and is not followed.", status || 302);
  try {
    const { detail } = JSON.parse(new TextDecoder().decode(bytes)) as { detail: { code: string; message: string } };
    // What other servers say in a member of this name is no refusal of the service's.
    if (typeof detail.code !== "string" || typeof detail.message !== "string") throw new TypeError("no code");
    const namesKey = headers.has("idempotency-key");
    return new SvcError(detail.code, detail.message, status, { detail, retryAfterMs: asked, namesKey });
  } catch {
    const message = `The service answered ${status} without saying why.`;
    return new SvcError("unexpected_answer", message, status, { retryAfterMs: asked });
  }
}

/** What `fetch` fails with says why only in its own cause, which may have a code and no message. */
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
