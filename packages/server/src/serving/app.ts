/**
 * The applications of a server: one for its main port, and one for a port of the metrics alone. It knows no port, no
 * file and no environment.
 */
import type { RequestListener } from "node:http";
import { application, RateLimit, ReadingLane, type Route } from "@svc/host/http";
import type { RequestMetrics } from "@svc/host/metrics";
import type { Logger } from "pino";
import type { Config } from "../settings/config.ts";
import { appendingOf } from "../streams/appending.ts";
import { systemKeysOf, unauthorized } from "../tenancy/system-keys.ts";
import type { AnsweringService } from "./open-service.ts";

type AppSettings = Pick<
  Config,
  "requestsPerSecondOfKey" | "requestsPerSecondOfAddress" | "trustedProxies" | "metricsPort" | "metricsToken"
>;

/** Returns the routes of the main port. The metrics are among them only if they have a token and no separate port. */
export function mainRoutes(
  { routes }: Pick<AnsweringService, "routes">,
  { metricsPort, metricsToken }: Pick<Config, "metricsPort" | "metricsToken">,
): readonly Route[] {
  return metricsPort === null && metricsToken !== null ? routes : routes.filter((route) => !isOfMetrics(route));
}

/** Returns the application of the main port. `requestMetrics`: null if requests are not counted. */
export function buildApp(
  service: AnsweringService,
  logger: Logger,
  config: AppSettings,
  requestMetrics: RequestMetrics | null,
): RequestListener {
  return build(mainRoutes(service, config), service, logger, config, requestMetrics);
}

/** Returns the application of the metrics' own port. Its requests are not counted. */
export function buildMetricsApp(service: AnsweringService, logger: Logger, config: AppSettings): RequestListener {
  return build(service.routes.filter(isOfMetrics), service, logger, config, null);
}

function build(
  routes: readonly Route[],
  { context }: AnsweringService,
  logger: Logger,
  { requestsPerSecondOfKey, requestsPerSecondOfAddress, trustedProxies, metricsToken }: AppSettings,
  requestMetrics: RequestMetrics | null,
): RequestListener {
  const { kernel, keyedHash } = context;
  const [appending, systemKeys] = [appendingOf(context), systemKeysOf(context)];
  return application(routes, {
    logger,
    requestMetrics,
    trustedProxies,
    kernel,
    keyedHash,
    authenticate: (authorization) => systemKeys.find(authorization),
    unauthorized,
    limits: { byKey: new RateLimit(requestsPerSecondOfKey), byAddress: new RateLimit(requestsPerSecondOfAddress) },
    lane: new ReadingLane({ isRecording: () => appending.isBusy }),
    metricsToken,
  });
}

function isOfMetrics({ contract }: Route): boolean {
  return contract.access.includes("metrics");
}
