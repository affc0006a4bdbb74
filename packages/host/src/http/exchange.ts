/**
 * The beginning and the end of every request, whichever way it takes to its route: its id, the headers of every answer,
 * the log line, the count, and the answer to every error.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { RequestMetrics } from "../metrics/request-metrics.ts";
import { logAnswer } from "./request-log.ts";
import { asServiceError, NO_SNIFFING, sendError } from "./responses.ts";

/** The header of every answer with its request id, a random UUID. */
export const REQUEST_ID_HEADER = "X-Request-Id";

/** The capabilities with which answers are logged and counted. */
export interface Accounting {
  readonly logger: Logger;
  /** The counters of requests; null if requests are not counted. */
  readonly requestMetrics: RequestMetrics | null;
  /** Headers of every answer, beside those that all applications have. */
  readonly answerHeaders: readonly (readonly [name: string, value: string])[];
}

/** A request and its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** The path as the route declares it, such as `/v2/streams/{streamId}/head`; null while no route is found. */
  route: string | null;
}

/** Begins an exchange: its answer will be logged, and counted, when it has been sent. */
export function begin(request: IncomingMessage, response: ServerResponse, accounting: Accounting): Exchange {
  const exchange: Exchange = { request, response, requestId: randomUUID(), route: null };
  const startedAt = performance.now();
  response.setHeader(REQUEST_ID_HEADER, exchange.requestId);
  response.setHeader("Cache-Control", "no-store");
  response.setHeader(...NO_SNIFFING);
  for (const [name, value] of accounting.answerHeaders) response.setHeader(name, value);
  response.once("finish", () => {
    const took = performance.now() - startedAt;
    logAnswer(accounting.logger, exchange, took);
    const { route } = exchange;
    const [method, status] = [request.method ?? "", response.statusCode];
    accounting.requestMetrics?.answered({ route, method, status, seconds: took / 1000 });
  });
  return exchange;
}

/** Ends an exchange that failed: answers with the error, unless the client has gone or has a part of an answer. */
export function refuse(
  { request, response, requestId }: Exchange,
  error: unknown,
  { logger, requestMetrics }: Accounting,
): void {
  if (request.socket.destroyed) {
    logger.debug({ request_id: requestId }, "the client has gone");
    return;
  }
  const answer = asServiceError(error, requestId);
  requestMetrics?.refused(answer.code);
  if (answer.status >= 500) logger.error({ err: error, request_id: requestId }, "request failed");
  if (response.headersSent) response.destroy();
  else sendError(response, answer);
}
