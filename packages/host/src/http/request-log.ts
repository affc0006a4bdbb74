/**
 * The request id, in a header and in the log, and one log line for each answer. Bodies, query values, credentials and
 * other headers never reach the log.
 */
import { randomUUID } from "node:crypto";
import type { RequestHandler, Response } from "express";
import type { Logger } from "pino";

/** The header of every answer with its request id, a random UUID. */
export const REQUEST_ID_HEADER = "X-Request-Id";

/**
 * Returns a handler that gives a request its id and logs its answer: at `error` from status 500 on, at `info` from 400
 * on, else at `debug`.
 */
export function requestLog(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const requestId = randomUUID();
    const startedAt = performance.now();
    response.setHeader(REQUEST_ID_HEADER, requestId);
    response.once("finish", () => {
      const { statusCode } = response;
      const level = statusCode >= 500 ? "error" : statusCode >= 400 ? "info" : "debug";
      if (!logger.isLevelEnabled(level)) return;
      logger[level](
        {
          request_id: requestId,
          method: request.method,
          path: request.path,
          status: statusCode,
          took_ms: Math.round(performance.now() - startedAt),
        },
        "request",
      );
    });
    next();
  };
}

/** Returns the request id of an answer; empty before requestLog has run. */
export function requestIdOf(response: Response): string {
  return String(response.getHeader(REQUEST_ID_HEADER) ?? "");
}
