/**
 * The applications of a server: one for its main port, and one for a port of the metrics alone. It knows no port, no
 * file and no environment.
 */
import type { RequestListener } from "node:http";
import { type Face, facesOf } from "@svc/api";
import { type Accounting, application, byHost, type Limits, RateLimit, ReadingLane, type Route } from "@svc/host/http";
import type { RequestMetrics } from "@svc/host/metrics";
import type { Logger } from "pino";
import { refusedActsOf } from "../administration/refused-acts.ts";
import { faceHeaders, type ServedFace, servedFaces } from "../faces.ts";
import type { Config } from "../settings/config.ts";
import { appendingOf } from "../streams/appending.ts";
import { systemKeysOf, unauthorized } from "../tenancy/system-keys.ts";
import type { AnsweringService } from "./open-service.ts";

type AppSettings = Pick<
  Config,
  | "requestsPerSecondOfKey"
  | "requestsPerSecondOfAddress"
  | "trustedProxies"
  | "metricsPort"
  | "metricsToken"
  | "apiUrl"
  | "dashboardUrl"
  | "auditUrl"
  | "statusUrl"
  | "marketplaceUrl"
>;

/** Returns the routes of the main port. The metrics are among them only if they have a token and no separate port. */
export function mainRoutes(
  { routes }: Pick<AnsweringService, "routes">,
  { metricsPort, metricsToken }: Pick<Config, "metricsPort" | "metricsToken">,
): readonly Route[] {
  return metricsPort === null && metricsToken !== null ? routes : routes.filter((route) => !isOfMetrics(route));
}

/** The applications of a server: that of its main port, and those of faces with a port alone. */
export interface Apps {
  readonly main: RequestListener;
  readonly alone: readonly { readonly face: Face; readonly port: number; readonly listener: RequestListener }[];
}

/**
 * Returns the applications. On the main port a face is found by its host, and every other host is the API's.
 * `requestMetrics`: null if requests are not counted.
 */
export function buildApps(
  service: AnsweringService,
  logger: Logger,
  config: AppSettings,
  requestMetrics: RequestMetrics | null,
): Apps {
  const routes = mainRoutes(service, config);
  const shared = sharedOf(service, config);
  const of = (face: Face, served: ServedFace | null) =>
    build(
      routes.filter(({ contract }) => facesOf(contract).includes(face)),
      service,
      { ...shared, logger, requestMetrics, answerHeaders: served === null ? [] : faceHeaders(served) },
      config,
      face === "api",
    );
  const faces = servedFaces(
    routes.map(({ contract }) => contract),
    config,
  ).map((served) => ({ ...served, listener: of(served.face, served) }));
  const byOrigin = faces.flatMap(({ origin, listener }) => (origin === null ? [] : [[origin, listener] as const]));
  return {
    main: byHost(new Map(byOrigin), of("api", null)),
    alone: faces.flatMap(({ face, port, listener }) => (port === null ? [] : [{ face, port, listener }])),
  };
}

/** Returns the application of the metrics' own port. Its requests are not counted. */
export function buildMetricsApp(service: AnsweringService, logger: Logger, config: AppSettings): RequestListener {
  const serving = { ...sharedOf(service, config), logger, requestMetrics: null, answerHeaders: [] };
  return build(service.routes.filter(isOfMetrics), service, serving, config, true);
}

/** The applications of a server share these: an asker has one limit and one turn, whatever host is named. */
interface Shared {
  readonly limits: Limits;
  readonly lane: ReadingLane;
}

function sharedOf(
  { context }: AnsweringService,
  { requestsPerSecondOfKey, requestsPerSecondOfAddress }: AppSettings,
): Shared {
  const appending = appendingOf(context);
  return {
    limits: { byKey: new RateLimit(requestsPerSecondOfKey), byAddress: new RateLimit(requestsPerSecondOfAddress) },
    lane: new ReadingLane({ isRecording: () => appending.isBusy }),
  };
}

function build(
  routes: readonly Route[],
  { context }: AnsweringService,
  serving: Accounting & Shared,
  { trustedProxies, metricsToken }: AppSettings,
  isOpenToPages: boolean,
): RequestListener {
  const { kernel, keyedHash } = context;
  const systemKeys = systemKeysOf(context);
  const refusedActs = refusedActsOf(context);
  return application(routes, {
    ...serving,
    trustedProxies,
    isOpenToPages,
    kernel,
    keyedHash,
    authenticate: (authorization) => systemKeys.find(authorization),
    unauthorized,
    refused: (found, route) => refusedActs.note(found, route),
    metricsToken,
  });
}

function isOfMetrics({ contract }: Route): boolean {
  return contract.access.includes("metrics");
}
