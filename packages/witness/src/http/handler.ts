/** The routes of a witness. HTTP only: what they do is in the folders of their subjects. */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { ServiceError } from "@svc/host/errors";
import { askerOf, NO_SNIFFING, type RateLimit } from "@svc/host/http";
import { equalHashes, KeyedHash } from "@svc/host/keyed-hash";
import { type Reader, StoreFull, StoreUnavailable, WriteConflict } from "@svc/host/store";
import type { Logger } from "pino";
import { noteByOriginHash } from "../checkpoints/checkpoints-store.ts";
import type { Outcome, Witness } from "../checkpoints/witness.ts";
import { evidenceOf, listForks } from "../forks/forks-store.ts";
import { MAX_BODY_BYTES, MAX_LISTED } from "../limits.ts";
import { type Answer, answerOf, jsonText, plain, words } from "./answers.ts";
import { readBody } from "./read-body.ts";

/** Counts requests. */
export interface Counting {
  /** `route`: the template of the path; null for a path without a route. */
  answered(answer: { route: string | null; method: string; status: number; seconds: number }): void;
  /** Counts the outcome of an `add-checkpoint` request. */
  decided(outcome: Outcome["kind"]): void;
}

/** The parts with which requests are answered. */
export interface Serving {
  readonly witness: Pick<Witness, "addCheckpoint">;
  readonly vkey: string;
  readonly read: <T>(work: (reader: Reader) => Promise<T>) => Promise<T>;
  readonly byAddress: RateLimit;
  readonly counting: Counting | null;
  readonly logger: Logger;
  /** The metrics; null if they are not served here. `token`: null if none is demanded. */
  readonly metrics: { readonly text: () => Promise<string>; readonly token: string | null } | null;
}

interface Route {
  readonly method: "GET" | "POST";
  /** The path for people and metrics. */
  readonly path: string;
  readonly form: RegExp;
  readonly answer: (request: IncomingMessage, part: string) => Promise<Answer> | Answer;
}

const NOT_FOUND = words(404, "There is nothing here.");

/** Returns the function that answers every request. */
export function handlerOf(serving: Serving): RequestListener {
  return listenerOf([...witnessRoutes(serving), ...metricsRoutes(serving)], serving);
}

/** Returns the function that answers on a port of the metrics alone. */
export function metricsHandlerOf(serving: Serving): RequestListener {
  return listenerOf(metricsRoutes(serving), serving);
}

function witnessRoutes({ witness, vkey, read, counting }: Serving): Route[] {
  return [
    {
      method: "POST",
      path: "/add-checkpoint",
      form: /^\/add-checkpoint$/,
      answer: async (request) => {
        const bytes = await readBody(request);
        if (bytes === null)
          return words(413, `The body is larger than ${MAX_BODY_BYTES} bytes.`, { Connection: "close" });
        const outcome = await witness.addCheckpoint(bytes);
        counting?.decided(outcome.kind);
        return answerOf(outcome);
      },
    },
    {
      method: "GET",
      path: "/{originHash}/checkpoint",
      form: /^\/([0-9a-f]{64})\/checkpoint$/,
      answer: async (_request, hash) => {
        const note = await read((reader) => noteByOriginHash(reader, hash));
        return note === null
          ? words(404, "This witness has cosigned nothing of an origin with this hash.")
          : plain(note);
      },
    },
    {
      method: "GET",
      path: "/forks",
      form: /^\/forks$/,
      answer: async () => jsonText(JSON.stringify({ forks: await read((reader) => listForks(reader, MAX_LISTED)) })),
    },
    {
      method: "GET",
      path: "/forks/{forkId}",
      form: /^\/forks\/(frk_[0-9a-z]{26})$/,
      answer: async (_request, forkId) => {
        const evidence = await read((reader) => evidenceOf(reader, forkId));
        return evidence === null ? NOT_FOUND : jsonText(evidence);
      },
    },
    { method: "GET", path: "/vkey", form: /^\/vkey$/, answer: () => plain(`${vkey}\n`) },
    { method: "GET", path: "/healthz", form: /^\/healthz$/, answer: () => plain("ok\n") },
  ];
}

function metricsRoutes({ metrics }: Serving): Route[] {
  if (metrics === null) return [];
  const hashes = new KeyedHash<"token">("svc-witness", randomBytes(32));
  const { text, token } = metrics;
  const isAllowed = (authorization: string | undefined) => {
    const [, shown = ""] = /^bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
    return token === null || equalHashes(hashes.hash("token", shown), hashes.hash("token", token));
  };
  return [
    {
      method: "GET",
      path: "/metrics",
      form: /^\/metrics$/,
      answer: async ({ headers }) =>
        isAllowed(headers.authorization)
          ? plain(await text())
          : words(401, "This needs the token of SVC_WITNESS_METRICS_TOKEN.", { "WWW-Authenticate": "Bearer" }),
    },
  ];
}

function listenerOf(routes: readonly Route[], { byAddress, counting, logger }: Serving): RequestListener {
  return (request, response) => {
    const startedAt = performance.now();
    const path = request.url ?? "";
    const matching = routes.filter(({ form }) => form.test(path));
    // HEAD is GET without its body (RFC 9110 section 9.3.2), which Node leaves out by itself.
    const method = request.method === "HEAD" ? "GET" : (request.method ?? "");
    const route = matching.find((one) => one.method === method);
    const answering = async () => {
      byAddress.count(askerOf(request.socket.remoteAddress ?? ""));
      if (route !== undefined) return route.answer(request, route.form.exec(path)?.[1] ?? "");
      const [other] = matching;
      return other === undefined ? NOT_FOUND : words(405, `Use ${other.method} here.`, { Allow: other.method });
    };
    answering()
      .catch((error: unknown) => answerOfFault(error, request, logger))
      .then((answer) => {
        send(response, answer);
        // The rest of a body is read and dropped.
        request.resume();
        const seconds = (performance.now() - startedAt) / 1000;
        counting?.answered({ route: route?.path ?? null, method, status: answer.status, seconds });
      })
      .catch((error: unknown) => {
        logger.error({ err: error }, "an answer could not be sent");
        response.destroy();
      });
  };
}

function answerOfFault(error: unknown, request: IncomingMessage, logger: Logger): Answer {
  if (error instanceof ServiceError && error.code === "rate_limited") {
    const seconds = String(error.details.retry_after_s ?? 1);
    return words(429, `Too many requests. Send the same one again in ${seconds} s.`, { "Retry-After": seconds });
  }
  // Nobody waits for an answer, and a log line for each connection that is cut off would fill a disk. It is the socket
  // that tells: a request is destroyed as soon as its body is read.
  if (request.socket.destroyed) return words(400, "The connection was closed.");
  logger.error({ err: error }, "a request failed");
  if (error instanceof StoreUnavailable || error instanceof StoreFull || error instanceof WriteConflict)
    return words(503, "The database cannot be written now. Send the same request again.", { "Retry-After": "1" });
  return words(500, "The witness failed on this request. Its operator finds why in the log.");
}

function send(response: ServerResponse, { status, text, mediaType, headers = {} }: Answer): void {
  response.statusCode = status;
  response.setHeader(...NO_SNIFFING);
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("Content-Type", mediaType);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(text);
}
