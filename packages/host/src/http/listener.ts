/**
 * The HTTP server in front of Express, and its answers to everything that is no whole request: input that Node's parser
 * refuses, input that comes too slowly or is cut off, and methods that only a proxy takes. They have the same form as
 * all errors.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ServiceError } from "../errors.ts";
import { errorText, NO_SNIFFING, sendError } from "./responses.ts";
import { countedResponses, UnreadAnswers } from "./unread-answers.ts";

/** How long a client may take from the first byte of a request on, in milliseconds. */
export interface Patience {
  /** The time to the end of the headers. */
  readonly headersMs: number;
  /** The time to the end of the body, headers included. */
  readonly requestMs: number;
  /** The interval of the check of these two. */
  readonly checkMs: number;
  /** How long a client may leave a waiting answer unread. */
  readonly stalledMs: number;
}

const PATIENCE: Patience = { headersMs: 60_000, requestMs: 300_000, checkMs: 5_000, stalledMs: 30_000 };
/**
 * How long a connection is kept for its next request: longer than any usual proxy keeps it in its pool (nginx 60 s). It
 * would send a request on a connection that is just being closed, and must not send a POST again.
 */
const KEEP_ALIVE_MS = 75_000;
/** The most bytes of answers that their clients do not take. */
const MAX_UNREAD_BYTES = 128 * 1024 * 1024;

/** The open connections of a server, and the last answer of each. */
interface Connections {
  readonly open: Set<Socket>;
  readonly answers: WeakMap<Duplex, ServerResponse>;
}

const connections = new WeakMap<Server, Connections>();

/** Returns the open connections that have never sent a byte, as browsers open them in advance. */
export function unusedConnections(server: Server): Socket[] {
  return [...(connections.get(server)?.open ?? [])].filter(({ bytesRead }) => bytesRead === 0);
}

/** Returns the open connections without a request: some of them may have sent a part of a request's head. */
export function connectionsWithoutRequest(server: Server): Socket[] {
  const { open = [], answers } = connections.get(server) ?? {};
  return [...open].filter((socket) => answers?.get(socket)?.writableFinished !== false);
}

/**
 * Returns a server that passes whole requests to `listener`, and answers all other input itself. It does not listen
 * yet.
 */
export function createListener(listener: RequestListener, patience: Patience = PATIENCE): Server {
  const { headersMs, requestMs, checkMs, stalledMs } = patience;
  const server = createServer(
    {
      ServerResponse: countedResponses(new UnreadAnswers(MAX_UNREAD_BYTES)),
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Node would answer without a body: requireSingleHeaders refuses instead.
      requireHostHeader: false,
    },
    listener,
  );
  const open = new Set<Socket>();
  const answers = new WeakMap<Duplex, ServerResponse>();
  connections.set(server, { open, answers });
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  server.on("request", ({ socket }, response) => answers.set(socket, response));
  server.setTimeout(stalledMs, (socket) => {
    const running = answers.get(socket);
    // An answer that is still being made has nothing for the client to take.
    const isBeingMade = running?.writableFinished === false && socket.writableLength === 0;
    // The bytes of an answer that nobody takes would be kept for ever.
    if (!isBeingMade) socket.destroy();
  });
  const waitingToRefuse = new WeakSet<Duplex>();
  answerHalfClosed(server, answers, waitingToRefuse);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // Each further piece of input is the same fault once more.
    if (waitingToRefuse.has(socket)) return;
    const running = answers.get(socket);
    const isRunning = running !== undefined && !running.writableFinished;
    if (!socket.writable || error.code === "ECONNRESET") socket.destroy();
    // The fault is behind a whole request, whose answer comes first: the client would take another one for it.
    else if (isRunning && running.req.complete) {
      const refusal = refusalOf(error);
      waitingToRefuse.add(socket);
      running.once("close", () => refuse(socket, refusal));
    }
    // In the middle of an answer, a client would take another one for its rest.
    else if (isRunning && running.headersSent) socket.destroy();
    else refuse(socket, refusalOf(error));
  });
  server.on("checkExpectation", (request, response) => {
    // The next bytes may be the announced body or the next request: the server cannot know which.
    response.setHeader("Connection", "close");
    response.setHeader(...NO_SNIFFING);
    const expected = JSON.stringify(request.headers.expect ?? "");
    sendError(
      response,
      new ServiceError(
        "expectation_failed",
        `Expect: ${expected} cannot be met. Send 100-continue, or no Expect header.`,
      ),
    );
  });
  server.on("connect", (_request, socket) => {
    const message = "CONNECT is not possible here: this is no proxy. Send the request itself.";
    refuse(socket, new ServiceError("method_not_allowed", message));
  });
  return server;
}

/**
 * Lets a client that has ended its side of the connection read the answer to a whole request with an Idempotency-Key:
 * what such a request changes is changed, whether its client still listens or not. For any other request the client
 * counts as gone, as Node has it, so that nobody works on for it. `answers`: the last one of each connection.
 * `waitingToRefuse`: connections that have an answer to come, and a refusal behind it.
 */
function answerHalfClosed(
  server: Server,
  answers: WeakMap<Duplex, ServerResponse>,
  waitingToRefuse: WeakSet<Duplex>,
): void {
  // Without it Node ends its side at once.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  server.on("connection", (socket) => {
    // Node's listener is called before: it has refused a request that is not whole, and closes behind the last answer.
    socket.on("end", () => {
      if (waitingToRefuse.has(socket)) return;
      const running = answers.get(socket);
      const isKept = running?.writableFinished === false && running.req.headers["idempotency-key"] !== undefined;
      if (!isKept) socket.end();
      else if (!running.headersSent) running.shouldKeepAlive = false;
    });
  });
}

/**
 * Refuses, with `request_malformed`, a request of another version than HTTP/1.0 and HTTP/1.1: Node takes the forms of
 * HTTP/0.9 and HTTP/2.0 too, whose clients expect other answers.
 */
export function requireVersion({ httpVersion }: IncomingMessage, response: ServerResponse): void {
  if (httpVersion === "1.1" || httpVersion === "1.0") return;
  response.setHeader("Connection", "close");
  throw new ServiceError("request_malformed", `The request is HTTP/${httpVersion}. Send HTTP/1.1.`);
}

/**
 * Headers of which Node would take the first and drop the others, while a proxy in front may have taken another one.
 */
const SINGLE = ["Host", "Authorization", "Content-Type"] as const;

/**
 * Refuses, with `request_malformed`, an HTTP/1.1 request without a Host header, and a request that repeats a header of
 * SINGLE (RFC 9112 section 3.2, RFC 9110 section 5.3).
 */
export function requireSingleHeaders({ rawHeaders, httpVersion }: IncomingMessage, response: ServerResponse): void {
  const seen = new Set<string>();
  let twice: string | undefined;
  // Names and values alternate. `headers` would have to be assembled first, which costs more.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase();
    const single = SINGLE.find((one) => one.toLowerCase() === name);
    if (single === undefined) continue;
    if (seen.has(single)) twice ??= single;
    seen.add(single);
  }
  const hasHost = seen.has("Host") || httpVersion !== "1.1";
  if (twice !== undefined || !hasHost) {
    response.setHeader("Connection", "close");
    const what = twice === undefined ? "no Host header" : `more than one ${twice} header`;
    throw new ServiceError("request_malformed", `The request has ${what}. Send one.`);
  }
}

/**
 * Refuses, with `transfer_coding_unsupported`, a body in any transfer coding except `chunked`, the only one that Node
 * decodes (RFC 9112 section 6.1). Without this check a compressed body would be read as other bytes than its sender
 * meant, and a proxy in front may see its end elsewhere.
 */
export function requireChunkedAlone({ headers }: IncomingMessage, response: ServerResponse): void {
  // Node joins several of these headers with commas.
  const codings = headers["transfer-encoding"];
  if (codings === undefined || /^chunked$/i.test(codings)) return;
  // The rest of the connection is not read.
  response.setHeader("Connection", "close");
  throw new ServiceError(
    "transfer_coding_unsupported",
    `The body is sent in the transfer codings ${JSON.stringify(codings)}. Send it as "Transfer-Encoding: ` +
      `chunked", or with its Content-Length.`,
  );
}

function refusalOf({ code, message }: NodeJS.ErrnoException): ServiceError {
  if (code === "HPE_HEADER_OVERFLOW")
    return new ServiceError(
      "headers_too_large",
      "The request line and the headers are too long. Send fewer or shorter ones.",
    );
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new ServiceError("request_timeout", "The request was not whole in time. Send it again, faster.");
  if (code === "HPE_INVALID_EOF_STATE")
    return new ServiceError(
      "request_malformed",
      "The connection was closed before the request was whole. Send it again.",
    );
  // The parser's words tell where it stopped, in terms of the protocol and never of this server.
  const reason = message.replace(/^Parse Error: /, "");
  return new ServiceError("request_malformed", `The request is not HTTP/1.1 (${reason}). Check what sends it.`);
}

/** Answers on the bare connection, and closes it. */
function refuse(socket: Duplex, error: ServiceError): void {
  const { status } = error;
  const text = errorText(error);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(text)}`,
    "Cache-Control: no-store",
    NO_SNIFFING.join(": "),
    "Connection: close",
  ];
  socket.on("error", () => socket.destroy());
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`, () => socket.destroy());
}
