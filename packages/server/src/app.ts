/**
 * Builds the Express application from the service's capabilities: one line for each route family. Knows no port, no file and no
 * environment.
 */
import { contractsOf, ERRORS } from "@svc/api";
import { ServiceError } from "@svc/host/errors";
import {
  type Authenticate,
  asServiceError,
  type Limits,
  mount,
  NO_SNIFFING,
  RateLimit,
  ReadingLane,
  type Route,
  requestIdOf,
  requestLog,
  requireChunkedAlone,
  requireSingleHeaders,
  sendError,
} from "@svc/host/http";
import { requestMetrics } from "@svc/host/metrics";
import express, { type ErrorRequestHandler, type Express } from "express";
import type { Logger } from "pino";
import type { Config } from "./config.ts";
import { docsRoutes } from "./docs/routes.ts";
import { erasureRoutes } from "./erasure/routes.ts";
import { logRoutes } from "./event-log/routes.ts";
import { exportRoutes } from "./exports/routes.ts";
import { forkRoutes } from "./forks/routes.ts";
import { keyRoutes } from "./keys/routes.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { metricsRoutes } from "./metrics/routes.ts";
import type { Service } from "./open-service.ts";
import { packRoutes } from "./packs/routes.ts";
import { policyRoutes } from "./policies/routes.ts";
import { sealingRoutes } from "./sealing/routes.ts";
import { streamRoutes } from "./streams/routes.ts";
import { unauthorized } from "./tenancy/system-keys.ts";
import { verifyRoutes } from "./verify/routes.ts";
import { verifyPageRoutes } from "./verify-page/routes.ts";

type LimitSettings = "requestsPerSecondOfKey" | "requestsPerSecondOfAddress" | "trustedProxies";

function limitsOf({ requestsPerSecondOfKey, requestsPerSecondOfAddress }: Pick<Config, LimitSettings>): Limits {
  return { byKey: new RateLimit(requestsPerSecondOfKey), byAddress: new RateLimit(requestsPerSecondOfAddress) };
}

type AppSettings = Pick<Config, LimitSettings | "apiUrl" | "metricsPort" | "metricsToken">;

/** Every route of the main port. `metrics`: null where they are not served there. */
export function routesOf(service: Service, { apiUrl }: Pick<Config, "apiUrl">, metrics: Metrics | null): Route[] {
  return [
    ...streamRoutes(service),
    ...logRoutes(service),
    ...erasureRoutes(service),
    ...packRoutes(service),
    ...exportRoutes(service),
    ...sealingRoutes(service),
    ...policyRoutes(service),
    ...forkRoutes(service),
    ...verifyRoutes(service),
    ...verifyPageRoutes(),
    ...keyRoutes(service),
    ...(metrics === null ? [] : metricsRoutes(metrics, service)),
    ...docsRoutes(contractsOf({ withMetrics: metrics !== null }), apiUrl, service.ground.origin),
  ];
}

export function buildApp(service: Service, logger: Logger, config: AppSettings, metrics: Metrics | null): Express {
  const routes = routesOf(service, config, config.metricsPort === null ? metrics : null);
  return application(routes, service, logger, config, metrics);
}

/** The application of the port that the metrics have for themselves. What is asked there is not counted. */
export function buildMetricsApp(service: Service, logger: Logger, config: AppSettings, metrics: Metrics): Express {
  return application(metricsRoutes(metrics, service), service, logger, config, null);
}

function application(
  routes: readonly Route[],
  service: Service,
  logger: Logger,
  config: AppSettings,
  metrics: Metrics | null,
): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", "simple");
  // Which proxies may say where a request came from: of any other the header is a claim.
  app.set("trust proxy", [...config.trustedProxies]);

  app.use(requestLog(logger));
  if (metrics !== null) app.use(requestMetrics(metrics.requests));
  app.use((_request, response, next) => {
    response.setHeader("Cache-Control", "no-store");
    response.setHeader(...NO_SNIFFING);
    next();
  });
  app.use(requireSingleHeaders);
  app.use(requireChunkedAlone);
  const lane = new ReadingLane({ isRecording: () => service.append.isBusy });
  const { ground, systemKeys } = service;
  const { kernel, keyedHash } = ground;
  const authenticate: Authenticate = (authorization) => systemKeys.find(authorization);
  const { metricsToken } = config;
  const limits = limitsOf(config);
  app.use(mount(routes, { kernel, keyedHash, authenticate, unauthorized, limits, lane, metricsToken }));

  const hint = routes.some(({ contract }) => contract.path === "/docs") ? " GET /docs shows all there are." : "";
  app.use((request) => {
    throw new ServiceError("route_not_found", `There is no route ${request.method} ${request.path}.${hint}`);
  });
  app.use(answerErrors(logger, metrics));
  return app;
}

function answerErrors(logger: Logger, metrics: Metrics | null): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const requestId = requestIdOf(response);
    if (request.socket.destroyed) {
      logger.debug({ request_id: requestId }, "the client has gone");
      return;
    }
    const answer = asServiceError(error, requestId);
    metrics?.requests.refused(answer.code);
    if (ERRORS[answer.code].status >= 500) logger.error({ err: error, request_id: requestId }, "request failed");
    if (response.headersSent) response.destroy();
    else sendError(response, answer);
  };
}
