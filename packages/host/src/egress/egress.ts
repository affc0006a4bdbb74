/**
 * HTTP requests to others: only to the origins that the deployment names, each within a time and to a size of the
 * answer, without a proxy, and without following a redirect. The other side is not trusted in anything. It does NOT
 * repeat a request, except where a kept connection turns out to be closed.
 */
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

/** The most bytes of the status line and the headers of an answer. */
const MAX_HEADER_BYTES = 16 * 1024;
/** How long a connection is kept after its last answer. */
const KEPT_MS = 60_000;

/** Why there is no answer. */
export type EgressFault = "unreachable" | "timed_out" | "redirected" | "answer_too_large" | "answer_malformed";

/** A request that got no answer that can be used. */
export class EgressError extends Error {
  readonly fault: EgressFault;

  constructor(fault: EgressFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "EgressError";
    this.fault = fault;
  }
}

/** A request. */
export interface EgressRequest {
  /** Its origin must be one of the deployment's. */
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  /** Empty for none. */
  readonly body: string;
  /** From the call to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
  /** Cuts the request off when it is aborted. */
  readonly signal?: AbortSignal;
}

/** A whole answer, of any status but those of redirects. */
export interface EgressAnswer {
  readonly status: number;
  /** Null where the answer has none. */
  readonly contentType: string | null;
  readonly body: Buffer;
}

/** The way out of a deployment. */
export class Egress {
  readonly #origins: ReadonlySet<string>;
  readonly #http: HttpAgent;
  readonly #https: HttpsAgent;

  /** `origins`: those of URLs, `https://host[:port]`. `maxConnections`: to each of them. */
  constructor(origins: Iterable<string>, maxConnections: number) {
    this.#origins = new Set(origins);
    const options = { keepAlive: true, maxSockets: maxConnections, timeout: KEPT_MS };
    // A separate agent takes no proxy from the environment; the global one can be set to.
    this.#http = new HttpAgent(options);
    this.#https = new HttpsAgent(options);
  }

  /**
   * Resolves to the answer. Rejects with EgressError, and with TypeError for an origin that the deployment does not
   * name.
   */
  async send(request: EgressRequest): Promise<EgressAnswer> {
    if (!this.#origins.has(request.url.origin))
      throw new TypeError(`${request.url.origin} is not one of the hosts to which this deployment sends anything`);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), request.timeoutMs);
    const cutOff = () => deadline.abort();
    request.signal?.addEventListener("abort", cutOff);
    if (request.signal?.aborted) cutOff();
    try {
      return await this.#attempt(request, deadline.signal).catch((error: unknown) => {
        if (error instanceof ClosedMeanwhile) return this.#attempt(request, deadline.signal);
        throw error;
      });
    } catch (error) {
      if (error instanceof EgressError) throw error;
      if (deadline.signal.aborted)
        throw new EgressError("timed_out", `${request.url.host} did not answer within ${request.timeoutMs} ms`);
      const { message } = error as Error;
      throw new EgressError("unreachable", `${request.url.host} could not be reached: ${message}`, { cause: error });
    } finally {
      clearTimeout(timer);
      request.signal?.removeEventListener("abort", cutOff);
    }
  }

  /** Closes the connections that are kept. */
  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  #attempt(asked: EgressRequest, signal: AbortSignal): Promise<EgressAnswer> {
    const { url, method, headers = {}, body } = asked;
    const options: RequestOptions = {
      method,
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      signal,
      maxHeaderSize: MAX_HEADER_BYTES,
    };
    return new Promise((resolve, reject) => {
      const request: ClientRequest =
        url.protocol === "https:"
          ? httpsRequest(url, { ...options, agent: this.#https })
          : httpRequest(url, { ...options, agent: this.#http });
      let hasAnswer = false;
      request.on("error", (error: NodeJS.ErrnoException) => {
        if (signal.aborted || hasAnswer) return reject(error);
        // The other side may close a kept connection in the moment in which it is used.
        if (request.reusedSocket && error.code === "ECONNRESET") return reject(new ClosedMeanwhile());
        if (error.code?.startsWith("HPE_")) return reject(malformed(url, error));
        reject(error);
      });
      request.on("response", (response) => {
        hasAnswer = true;
        answerOf(asked, response).then(resolve, (error: unknown) => {
          request.destroy();
          reject(error);
        });
      });
      request.end(body);
    });
  }
}

/** A kept connection was closed before anything of the answer came. */
class ClosedMeanwhile extends Error {}

async function answerOf({ url, maxAnswerBytes }: EgressRequest, response: IncomingMessage): Promise<EgressAnswer> {
  const { statusCode: status = 0, headers } = response;
  if (status >= 300 && status < 400)
    throw new EgressError("redirected", `${url.host} answered ${status}, which leads elsewhere: it is not followed`);
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > maxAnswerBytes)
        throw new EgressError("answer_too_large", `${url.host} answered more than ${maxAnswerBytes} bytes`);
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof EgressError || (error as Error).name === "AbortError") throw error;
    throw malformed(url, error as Error);
  }
  return { status, contentType: headers["content-type"] ?? null, body: Buffer.concat(pieces) };
}

function malformed(url: URL, cause: Error): EgressError {
  return new EgressError("answer_malformed", `${url.host} answered what is no whole HTTP answer: ${cause.message}`, {
    cause,
  });
}
