/**
 * Builds the Express application from the service's capabilities: one line for each route family. Knows no port, no file and no
 * environment.
 */
import express, { type ErrorRequestHandler, type Express } from "express";
import type { Logger } from "pino";
import type { Config } from "./config.ts";
import { docsRoutes } from "./docs/routes.ts";
import { erasureRoutes } from "./erasure/routes.ts";
import { ERRORS, ServiceError } from "./errors.ts";
import { type Limits, mount } from "./http/mount.ts";
import { RateLimit } from "./http/rate-limit.ts";
import { requestIdOf, requestLog } from "./http/request-log.ts";
import { asServiceError, sendError } from "./http/responses.ts";
import type { Route } from "./http/route.ts";
import { keyRoutes } from "./keys/routes.ts";
import type { Service } from "./open-service.ts";
import { packRoutes } from "./packs/routes.ts";
import { sealingRoutes } from "./sealing/routes.ts";
import { streamRoutes } from "./streams/routes.ts";
import { verifyRoutes } from "./verify/routes.ts";
import { witnessRoutes } from "./witnesses/routes.ts";

type LimitSettings = "requestsPerSecondOfKey" | "requestsPerSecondOfAddress" | "trustedProxies";

function limitsOf({ requestsPerSecondOfKey, requestsPerSecondOfAddress }: Pick<Config, LimitSettings>): Limits {
  return { byKey: new RateLimit(requestsPerSecondOfKey), byAddress: new RateLimit(requestsPerSecondOfAddress) };
}

/** Every route of the service. */
export function routesOf(service: Service): Route[] {
  const routes: Route[] = [
    ...streamRoutes(service),
    ...erasureRoutes(service),
    ...packRoutes(service),
    ...sealingRoutes(service),
    ...witnessRoutes(service),
    ...verifyRoutes(service),
    ...keyRoutes(service),
    ...docsRoutes(() => routes),
  ];
  return routes;
}

export function buildApp(service: Service, logger: Logger, config: Pick<Config, LimitSettings>): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", "simple");
  // Which proxies may say where a request came from: of any other the header is a claim.
  app.set("trust proxy", [...config.trustedProxies]);

  app.use(requestLog(logger));
  app.use((_request, response, next) => {
    response.setHeader("Cache-Control", "no-store");
    next();
  });
  app.use(mount(routesOf(service), { ...service, limits: limitsOf(config) }));

  app.use((request) => {
    throw new ServiceError("route_not_found", `There is no route ${request.method} ${request.path}.`);
  });
  app.use(answerErrors(logger));
  return app;
}

function answerErrors(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const requestId = requestIdOf(response);
    if (request.socket.destroyed) {
      logger.debug({ request_id: requestId }, "the client has gone");
      return;
    }
    const answer = asServiceError(error, requestId);
    if (ERRORS[answer.code].status >= 500) logger.error({ err: error, request_id: requestId }, "request failed");
    if (response.headersSent) response.destroy();
    else sendError(response, answer);
  };
}
