/**
 * HTTP requests to URLs that tenants name. Each goes to a public address over TLS, or to a network that the operator
 * has allowed, and to no other: the addresses of a name are looked up once, all of them are looked at, and the
 * connection is made to the very one that was. No proxy is used, no redirect is followed, and nothing is decompressed.
 */
import { Resolver } from "node:dns/promises";
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isIn, isPublic, type Network } from "./addresses.ts";
import type { EgressFault } from "./egress.ts";

/** From the call to the connection, with its TLS. */
const CONNECT_MS = 5_000;
/** From the call to the last byte of the answer. */
const WHOLE_MS = 15_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** A longer body is cut off: its status counts. */
const MAX_BODY_BYTES = 64 * 1024;
const MAX_URL_CHARACTERS = 2_048;
const HTTPS_PORT = 443;
const HTTP_PORT = 80;
/** The ports below are those of services that are no web servers. */
const LEAST_PORT = 1_024;
/** The times of a question to a name server; two are asked twice within the time of a connection. */
const DNS = { timeout: 1_000, tries: 2 } as const;

/** Why there is no answer: the faults of every request, or an address that must not be asked. */
export type GuardedFault = EgressFault | "address_forbidden";

/** A request that got no answer that can be used, or was not sent. */
export class GuardedError extends Error {
  readonly fault: GuardedFault;

  constructor(fault: GuardedFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "GuardedError";
    this.fault = fault;
  }
}

/** A request. */
export interface GuardedRequest {
  readonly url: URL;
  readonly method: "GET" | "POST" | "HEAD";
  readonly headers?: Readonly<Record<string, string>>;
  /** Empty for none. */
  readonly body: string | Uint8Array;
  /** Cuts the request off when it is aborted. */
  readonly signal?: AbortSignal;
}

/** An answer of any status but those of redirects. */
export interface GuardedAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  /** At most 64 KiB. */
  readonly body: Buffer;
  /** Whether there was more of the body. */
  readonly isCut: boolean;
}

/** Resolves to all addresses of a name. Rejects if it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** The way out to URLs that tenants name. */
export class GuardedEgress {
  readonly #allowed: readonly Network[];
  readonly #resolve: Resolve;
  // Separate agents take no proxy from the environment. Nothing is kept: the next look at the name may say otherwise.
  readonly #http = new HttpAgent({ keepAlive: false });
  readonly #https = new HttpsAgent({ keepAlive: false, minVersion: "TLSv1.2" });

  /** `allowed`: networks that may be private, and may be reached without TLS. */
  constructor(allowed: readonly Network[], resolve: Resolve = resolveName) {
    this.#allowed = allowed;
    this.#resolve = resolve;
  }

  /**
   * Returns why a URL cannot be used, as the rest of a sentence about it; null for one that can, as far as its text
   * says: the addresses of a name are looked at when a request is sent.
   */
  faultOf(text: string): string | null {
    if (text.length > MAX_URL_CHARACTERS) return `must have at most ${MAX_URL_CHARACTERS} characters`;
    if (!URL.canParse(text)) return "must be a URL";
    return this.#faultOf(new URL(text));
  }

  /**
   * Resolves to the answer. Rejects with GuardedError: `address_forbidden` before anything is sent, and the faults of
   * every other request.
   */
  async send(request: GuardedRequest): Promise<GuardedAnswer> {
    const { url, signal } = request;
    const fault = this.#faultOf(url);
    if (fault !== null) throw forbidden(`${url.host} is not asked: the URL ${fault}`);
    const deadline = new AbortController();
    const late = (words: string) => deadline.abort(new GuardedError("timed_out", `${url.host} ${words}`));
    const connecting = setTimeout(() => late(`was not connected within ${CONNECT_MS} ms`), CONNECT_MS);
    const whole = setTimeout(() => late(`did not answer within ${WHOLE_MS} ms`), WHOLE_MS);
    const cutOff = () => deadline.abort(signal?.reason);
    signal?.addEventListener("abort", cutOff);
    if (signal?.aborted) cutOff();
    try {
      const address = await untilAborted(this.#addressOf(url), deadline.signal);
      return await this.#ask(request, address, deadline.signal, () => clearTimeout(connecting));
    } catch (error) {
      const { reason } = deadline.signal as { readonly reason: unknown };
      if (deadline.signal.aborted && reason instanceof GuardedError) throw reason;
      if (error instanceof GuardedError) throw error;
      const { message } = error as Error;
      throw new GuardedError("unreachable", `${url.host} could not be reached: ${message}`, { cause: error });
    } finally {
      clearTimeout(connecting);
      clearTimeout(whole);
      signal?.removeEventListener("abort", cutOff);
    }
  }

  #faultOf({ protocol, hostname, port, username, password, hash, href }: URL): string | null {
    if (href.length > MAX_URL_CHARACTERS) return `must have at most ${MAX_URL_CHARACTERS} characters`;
    if (username !== "" || password !== "") return "must have no user and no password in it";
    if (hash !== "" || href.endsWith("#")) return "must have no fragment";
    if (protocol !== "https:" && protocol !== "http:") return "must begin with https://";
    const literal = literalOf(hostname);
    const isAllowed = literal !== null && isIn(literal, this.#allowed);
    // A name may turn out to be in an allowed network; its address decides then.
    if (protocol === "http:" && !isAllowed && (literal !== null || this.#allowed.length === 0))
      return "must begin with https://";
    const number = port === "" ? null : Number(port);
    if (number !== null && number < LEAST_PORT && ![HTTP_PORT, HTTPS_PORT].includes(number))
      return `must name port ${HTTPS_PORT}, or one from ${LEAST_PORT} up`;
    if (literal === null) return hostname.replace(/\.$/, "").includes(".") ? null : "must have a host with a dot in it";
    return isAllowed || isPublic(literal) ? null : "names an address that is not public";
  }

  /** Resolves to the address to connect to. Rejects with GuardedError unless every address of the host may be used. */
  async #addressOf({ protocol, hostname, host }: URL): Promise<string> {
    const literal = literalOf(hostname);
    const addresses = literal === null ? await this.#resolve(hostname) : [literal];
    for (const address of addresses) {
      const isAllowed = isIP(address) !== 0 && isIn(address, this.#allowed);
      if (!isAllowed && !isPublic(address)) throw forbidden(`${host} has an address that is not public`);
      if (!isAllowed && protocol === "http:")
        throw forbidden(`${host} is not in an allowed network, and is asked over TLS only`);
    }
    const [first] = addresses;
    if (first === undefined) throw new Error("its name has no address");
    return first;
  }

  #ask(
    { url, method, headers = {}, body }: GuardedRequest,
    address: string,
    signal: AbortSignal,
    onConnected: () => void,
  ): Promise<GuardedAnswer> {
    const family = isIP(address);
    // Node asks for all addresses, or for one: a literal host does not ask at all.
    const lookup: LookupFunction = (_name, { all }, answer) =>
      all ? answer(null, [{ address, family }]) : answer(null, address, family);
    const options = {
      method,
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      signal,
      lookup,
      maxHeaderSize: MAX_HEADER_BYTES,
    };
    return new Promise((resolve, reject) => {
      const request: ClientRequest =
        url.protocol === "https:"
          ? httpsRequest(url, { ...options, agent: this.#https })
          : httpRequest(url, { ...options, agent: this.#http });
      request.on("socket", (socket) => {
        socket.once(url.protocol === "https:" ? "secureConnect" : "connect", onConnected);
      });
      request.on("error", (error: NodeJS.ErrnoException) =>
        reject(error.code?.startsWith("HPE_") ? malformed(url, error) : error),
      );
      request.on("response", (response) => {
        answerOf(url, response)
          .then(resolve, reject)
          .finally(() => request.destroy());
      });
      request.end(body);
    });
  }
}

async function answerOf({ host }: URL, response: IncomingMessage): Promise<GuardedAnswer> {
  const { statusCode: status = 0, headers } = response;
  if (status >= 300 && status < 400)
    throw new GuardedError("redirected", `${host} answered ${status}, which leads elsewhere: it is not followed`);
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > MAX_BODY_BYTES) break;
    }
  } catch (error) {
    if ((error as Error).name === "AbortError") throw error;
    throw malformed({ host }, error as Error);
  }
  const body = Buffer.concat(pieces).subarray(0, MAX_BODY_BYTES);
  return { status, headers, body, isCut: bytes > MAX_BODY_BYTES };
}

/** Resolves to all addresses of a name, as name servers say; the machine's own file of hosts is not asked. */
async function resolveName(name: string): Promise<readonly string[]> {
  const resolver = new Resolver(DNS);
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  const [failed] = found.filter((one) => one.status === "rejected");
  if (addresses.length === 0 && failed !== undefined) throw failed.reason;
  return addresses;
}

/** Returns the address that a URL's host is, without brackets; null for a name. */
function literalOf(hostname: string): string | null {
  const inside = /^\[(.*)\]$/.exec(hostname)?.[1] ?? hostname;
  return isIP(inside) === 0 ? null : inside;
}

function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

function forbidden(message: string): GuardedError {
  return new GuardedError("address_forbidden", message);
}

function malformed({ host }: Pick<URL, "host">, cause: Error): GuardedError {
  return new GuardedError("answer_malformed", `${host} answered what is no whole HTTP answer: ${cause.message}`, {
    cause,
  });
}
