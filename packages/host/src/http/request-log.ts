/**
 * The request id, in a header and in the log, and one log line for each answer. Bodies, query values, credentials and any other header
 * never reach the log.
 */
import { randomUUID } from "node:crypto";
import type { RequestHandler, Response } from "express";
import type { Logger } from "pino";

export const REQUEST_ID_HEADER = "X-Request-Id";

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

export function requestIdOf(response: Response): string {
  return String(response.getHeader(REQUEST_ID_HEADER) ?? "");
}
