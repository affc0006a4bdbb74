/**
 * The applications of a server: that of its main port, and that of the port that the metrics may have for themselves.
 * Knows no port, no file and no environment.
 */
import { application, RateLimit, ReadingLane, type Route } from "@svc/host/http";
import type { RequestMetrics } from "@svc/host/metrics";
import type { Express } from "express";
import type { Logger } from "pino";
import type { Config } from "./config.ts";
import type { Service } from "./open-service.ts";
import { appendOf } from "./streams/append.ts";
import { systemKeysOf, unauthorized } from "./tenancy/system-keys.ts";

type AppSettings = Pick<
  Config,
  "requestsPerSecondOfKey" | "requestsPerSecondOfAddress" | "trustedProxies" | "metricsPort" | "metricsToken"
>;

/** The routes of the main port: the metrics' own are there where they have a token and no port for themselves. */
export function mainRoutes(
  { routes }: Pick<Service, "routes">,
  { metricsPort, metricsToken }: Pick<Config, "metricsPort" | "metricsToken">,
): readonly Route[] {
  return metricsPort === null && metricsToken !== null ? routes : routes.filter((route) => !isOfMetrics(route));
}

/** Builds the application of the main port. `requestMetrics`: null where requests are not counted. */
export function buildApp(
  service: Service,
  logger: Logger,
  config: AppSettings,
  requestMetrics: RequestMetrics | null,
): Express {
  return build(mainRoutes(service, config), service, logger, config, requestMetrics);
}

/** Builds the application of the port that the metrics have for themselves. What is asked there is not counted. */
export function buildMetricsApp(service: Service, logger: Logger, config: AppSettings): Express {
  return build(service.routes.filter(isOfMetrics), service, logger, config, null);
}

function build(
  routes: readonly Route[],
  { context }: Service,
  logger: Logger,
  { requestsPerSecondOfKey, requestsPerSecondOfAddress, trustedProxies, metricsToken }: AppSettings,
  requestMetrics: RequestMetrics | null,
): Express {
  const { kernel, keyedHash } = context;
  const [append, systemKeys] = [appendOf(context), systemKeysOf(context)];
  return application(routes, {
    logger,
    requestMetrics,
    trustedProxies,
    kernel,
    keyedHash,
    authenticate: (authorization) => systemKeys.find(authorization),
    unauthorized,
    limits: { byKey: new RateLimit(requestsPerSecondOfKey), byAddress: new RateLimit(requestsPerSecondOfAddress) },
    lane: new ReadingLane({ isRecording: () => append.isBusy }),
    metricsToken,
  });
}

function isOfMetrics({ contract }: Route): boolean {
  return contract.access === "metrics";
}
