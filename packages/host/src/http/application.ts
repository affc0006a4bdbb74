/**
 * An Express application of routes: the steps that every request passes before its route, and the answer to every
 * error. It knows no route by name, no port and no environment.
 */
import { ERRORS } from "@svc/api";
import express, { type ErrorRequestHandler, type Express } from "express";
import type { Logger } from "pino";
import { ServiceError } from "../errors.ts";
import { type RequestMetrics, requestMetrics } from "../metrics/request-metrics.ts";
import { requireChunkedAlone, requireSingleHeaders } from "./listener.ts";
import { mount, type Readers } from "./mount.ts";
import { requestIdOf, requestLog } from "./request-log.ts";
import { asServiceError, NO_SNIFFING, sendError } from "./responses.ts";
import type { Route } from "./route.ts";

/** The capabilities with which an application serves its routes. */
export interface Serving extends Readers {
  readonly logger: Logger;
  /** The counters of requests; null if requests are not counted. */
  readonly requestMetrics: RequestMetrics | null;
  /** The addresses, or networks as address/prefix, of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
}

/** Returns the application: these routes, and the refusal `route_not_found` for all other paths. */
export function application(routes: readonly Route[], serving: Serving): Express {
  const { logger, requestMetrics: metrics, trustedProxies } = serving;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", "simple");
  // Only these proxies may say where a request came from: any other sender could forge the header.
  app.set("trust proxy", [...trustedProxies]);

  app.use(requestLog(logger));
  if (metrics !== null) app.use(requestMetrics(metrics));
  app.use((_request, response, next) => {
    response.setHeader("Cache-Control", "no-store");
    response.setHeader(...NO_SNIFFING);
    next();
  });
  app.use(requireSingleHeaders);
  app.use(requireChunkedAlone);
  app.use(mount(routes, serving));

  const hint = routes.some(({ contract }) => contract.path === "/docs") ? " GET /docs shows all there are." : "";
  app.use((request) => {
    throw new ServiceError("route_not_found", `There is no route ${request.method} ${request.path}.${hint}`);
  });
  app.use(answerErrors(logger, metrics));
  return app;
}

function answerErrors(logger: Logger, metrics: RequestMetrics | null): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const requestId = requestIdOf(response);
    if (request.socket.destroyed) {
      logger.debug({ request_id: requestId }, "the client has gone");
      return;
    }
    const answer = asServiceError(error, requestId);
    metrics?.refused(answer.code);
    if (ERRORS[answer.code].status >= 500) logger.error({ err: error, request_id: requestId }, "request failed");
    if (response.headersSent) response.destroy();
    else sendError(response, answer);
  };
}
