/** One log line for each answer. Bodies, query values, credentials and other headers never reach the log. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";

/** A request with its answer, as far as they are logged. */
interface Answered {
  readonly request: Pick<IncomingMessage, "method" | "url">;
  readonly response: Pick<ServerResponse, "statusCode">;
  readonly requestId: string;
}

/** The scheme and the authority of a target in absolute form, which may hold a password (RFC 9112 section 3.2.2). */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
const QUERY = /[?#].*$/s;

/** Logs an answer: at `error` from status 500 on, at `info` from 400 on, else at `debug`. `tookMs`: milliseconds. */
export function logAnswer(logger: Logger, { request, response, requestId }: Answered, tookMs: number): void {
  const { statusCode: status } = response;
  const level = status >= 500 ? "error" : status >= 400 ? "info" : "debug";
  if (!logger.isLevelEnabled(level)) return;
  const path = (request.url ?? "").replace(ORIGIN, "").replace(QUERY, "");
  const { method } = request;
  logger[level]({ request_id: requestId, method, path, status, took_ms: Math.round(tookMs) }, "request");
}
