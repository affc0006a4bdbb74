/**
 * Configuration from environment and options, all of it checked before anything starts. Every mistake is listed at once.
 */
import { isIP } from "node:net";
import { resolve, sep } from "node:path";
import { type KeySettings, readKeySettings } from "./keys/key-settings.ts";
import { originFault } from "./origin.ts";

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const DEFAULTS = {
  dataFolder: "./svc-data",
  host: "127.0.0.1",
  port: 8787,
  logLevel: "info",
  sealIntervalMs: 250,
  idempotencyDays: 30,
  requestsPerSecondOfKey: 2000,
  requestsPerSecondOfAddress: 100,
} as const;
const MOST_REQUESTS_PER_SECOND = 1_000_000;
/** A scheme and a host, perhaps a port: no path, no query, no credentials. */
const WEB_ORIGIN = /^https?:\/\/[^/?#@\\\s]+$/i;
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;
const METRICS_TOKEN = /^[!-~]{16,}$/;
const DECIMAL = /^(?:0|[1-9]\d{0,8})$/;

/** The variables that say where the faces of the service are reached. Each is an origin of its own, so that no page of one may act on another. */
const FACES = {
  api: "SVC_API_URL",
  dashboard: "SVC_DASHBOARD_URL",
  audit: "SVC_AUDIT_URL",
  status: "SVC_STATUS_URL",
  marketplace: "SVC_MARKETPLACE_URL",
} as const;
export type FaceUrls = { readonly [Face in keyof typeof FACES]: string | null };

export interface Config {
  readonly dataFolder: string;
  /** Where what the server has seen is noted once more, out of reach of what may roll the folder back; null: nowhere. */
  readonly progressFile: string | null;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Where the sealing key is; the keys themselves where they are in the environment. */
  readonly keySettings: KeySettings;
  /** Only read where the data folder is made. */
  readonly origin: string | null;
  readonly logLevel: LogLevel;
  readonly sealIntervalMs: number;
  /** The port that the metrics have for themselves, 0 for any free one; null: none. */
  readonly metricsPort: number | null;
  /** What asks for metrics must show it, and without a port of their own they are served only with it; null: none. */
  readonly metricsToken: string | null;
  readonly legacyStreamCreationEnabled: boolean;
  /** Whether provenance streams are what new integrations should use. */
  readonly provenanceLaneEnabled: boolean;
  /** The origins of the service's faces, as `https://host[:port]`; null where one is not set. */
  readonly urls: FaceUrls;
  /** How many days an Idempotency-Key is remembered. */
  readonly idempotencyDays: number;
  /** How many requests a second of one system key are served, and of one address on public routes; 0 for any number. */
  readonly requestsPerSecondOfKey: number;
  readonly requestsPerSecondOfAddress: number;
  /** The addresses, or networks as address/prefix, of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
}

/** What a person said wrongly; ends the process with exit code 64. */
export class UsageError extends Error {
  constructor(mistakes: readonly string[]) {
    super(mistakes.join("\n"));
    this.name = "UsageError";
  }
}

/** Options win over the environment, the environment over defaults. Throws UsageError with every mistake. */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  options: { readonly data?: string; readonly host?: string; readonly port?: string } = {},
): Config {
  const mistakes: string[] = [];
  const named = (option: string | undefined, optionName: string, variable: string) =>
    option !== undefined
      ? { text: option, name: optionName }
      : { text: nonEmpty(environment[variable]), name: variable };
  const integer = <Otherwise extends number | null>(
    { text, name }: { text: string | undefined; name: string },
    least: number,
    most: number,
    otherwise: Otherwise,
  ): number | Otherwise => {
    if (text === undefined) return otherwise;
    const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    mistakes.push(`${name} is ${JSON.stringify(text)}; it must be a whole number from ${least} to ${most}.`);
    return otherwise;
  };

  const port = integer(named(options.port, "--port", "SVC_PORT"), 0, 65_535, DEFAULTS.port);
  const host = named(options.host, "--host", "SVC_HOST");
  if (host.text !== undefined && isIP(host.text) === 0 && !HOST_NAME.test(host.text))
    mistakes.push(
      `${host.name} is ${JSON.stringify(host.text)}; it must be an address such as 127.0.0.1 or ::1, or a name, without a port.`,
    );
  const sealIntervalMs = integer(named(undefined, "", "SVC_SEAL_INTERVAL_MS"), 20, 60_000, DEFAULTS.sealIntervalMs);
  const idempotencyDays = integer(named(undefined, "", "SVC_IDEMPOTENCY_DAYS"), 1, 3650, DEFAULTS.idempotencyDays);
  const rate = (variable: string, otherwise: number) =>
    integer(named(undefined, "", variable), 0, MOST_REQUESTS_PER_SECOND, otherwise);
  const requestsPerSecondOfKey = rate("SVC_KEY_REQUESTS_PER_SECOND", DEFAULTS.requestsPerSecondOfKey);
  const requestsPerSecondOfAddress = rate("SVC_ADDRESS_REQUESTS_PER_SECOND", DEFAULTS.requestsPerSecondOfAddress);
  const trustedProxies = (nonEmpty(environment.SVC_TRUSTED_PROXIES) ?? "").split(",").map((text) => text.trim());
  const proxies = trustedProxies.filter((text) => text !== "");
  for (const text of proxies)
    if (!isNetwork(text))
      mistakes.push(
        `SVC_TRUSTED_PROXIES names ${JSON.stringify(text)}; it must be addresses such as 10.0.0.1, or networks such as 10.0.0.0/8, with commas between.`,
      );
  const metricsPort = integer(named(undefined, "", "SVC_METRICS_PORT"), 0, 65_535, null);
  if (metricsPort !== null && metricsPort > 0 && metricsPort === port)
    mistakes.push(`SVC_METRICS_PORT is ${metricsPort}, the port of the service itself; it must be another one.`);
  const metricsToken = nonEmpty(environment.SVC_METRICS_TOKEN) ?? null;
  if (metricsToken !== null && !METRICS_TOKEN.test(metricsToken))
    mistakes.push("SVC_METRICS_TOKEN must be at least 16 visible ASCII characters without spaces.");
  const logLevel = nonEmpty(environment.SVC_LOG_LEVEL) ?? DEFAULTS.logLevel;
  if (!isLogLevel(logLevel))
    mistakes.push(`SVC_LOG_LEVEL is ${JSON.stringify(logLevel)}; it must be one of ${LOG_LEVELS.join(", ")}.`);
  const flag = (variable: string, otherwise: "1" | "0") => {
    const text = nonEmpty(environment[variable]) ?? otherwise;
    if (text !== "0" && text !== "1") mistakes.push(`${variable} is ${JSON.stringify(text)}; it must be 1 or 0.`);
    return text === "1";
  };
  const legacyStreamCreationEnabled = flag("LEGACY_STREAM_CREATION_ENABLED", "1");
  const provenanceLaneEnabled = flag("PROVENANCE_LANE_ENABLED", "0");
  const keySettings = readKeySettings(environment, mistakes);
  const urls = readUrls(environment, mistakes);
  const origin = nonEmpty(environment.SVC_ORIGIN) ?? null;
  const fault = origin === null ? null : originFault(origin);
  if (fault !== null) mistakes.push(`SVC_ORIGIN is ${JSON.stringify(origin)}; ${fault}.`);

  const dataFolder = resolve(named(options.data, "--data", "SVC_DATA").text ?? DEFAULTS.dataFolder);
  const progressText = nonEmpty(environment.SVC_PROGRESS_FILE) ?? null;
  const progressFile = progressText === null ? null : resolve(progressText);
  if (progressFile !== null && `${progressFile}${sep}`.startsWith(`${dataFolder}${sep}`))
    mistakes.push(
      `SVC_PROGRESS_FILE is ${progressFile}, in the data folder; it must be outside, best on another disk: it is to stay when the folder is rolled back.`,
    );

  if (mistakes.length > 0) throw new UsageError(mistakes);
  return {
    dataFolder,
    progressFile,
    host: host.text ?? DEFAULTS.host,
    port,
    keySettings,
    origin,
    logLevel: logLevel as LogLevel,
    sealIntervalMs,
    metricsPort,
    metricsToken,
    idempotencyDays,
    requestsPerSecondOfKey,
    requestsPerSecondOfAddress,
    trustedProxies: proxies,
    legacyStreamCreationEnabled,
    provenanceLaneEnabled,
    urls,
  };
}

/** The faces' origins; what is wrong with them is added to `mistakes`. */
function readUrls(environment: Readonly<Record<string, string | undefined>>, mistakes: string[]): FaceUrls {
  const taken = new Map<string, string>();
  const read = Object.entries(FACES).map(([face, variable]): [string, string | null] => {
    const text = nonEmpty(environment[variable]) ?? null;
    if (text === null) return [face, null];
    const origin = webOrigin(text);
    if (origin === null)
      // Not repeated: a password may stand in it.
      mistakes.push(
        `${variable} is no origin; it must be https://host or https://host:port, without a path, or the same with http on this machine.`,
      );
    else if (taken.has(origin))
      mistakes.push(`${variable} is ${origin}, as ${taken.get(origin)} is; each must be an origin of its own.`);
    else taken.set(origin, variable);
    return [face, origin];
  });
  return Object.fromEntries(read) as FaceUrls;
}

/** An origin as browsers write it, reached by https, or by http on loopback; null where the text is no such origin. */
function webOrigin(text: string): string | null {
  if (!WEB_ORIGIN.test(text) || !URL.canParse(text)) return null;
  const { origin, protocol, hostname } = new URL(text);
  const isLoopback = hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
  return protocol === "https:" || isLoopback ? origin : null;
}

/** Whether a text is an address, or a network as address/prefix. */
function isNetwork(text: string): boolean {
  const [address = "", prefix, ...more] = text.split("/");
  const bits = isIP(address) === 4 ? 32 : 128;
  return (
    isIP(address) > 0 && more.length === 0 && (prefix === undefined || (DECIMAL.test(prefix) && Number(prefix) <= bits))
  );
}

/** An empty variable counts as one that is not set. */
function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

function isLogLevel(text: string): text is LogLevel {
  return (LOG_LEVELS as readonly string[]).includes(text);
}
