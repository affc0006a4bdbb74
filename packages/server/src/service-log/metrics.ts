/** The metrics of the service log. */
import type { MetricsRegistry } from "@svc/host/metrics";
import type { AnsweringContext } from "../context.ts";
import { logFigures } from "./figures.ts";

/** Adds the gauges of the service log, which are read from the database. */
export function serviceLogMetrics(registry: MetricsRegistry, { database, clock }: AnsweringContext): void {
  registry.gauge(
    "svc_service_log_size",
    "Checkpoints in the service log.",
    async () => (await database.read(logFigures)).size,
  );
  registry.gauge(
    "svc_service_log_epoch",
    "Number of the newest epoch of the service log.",
    async () => (await database.read(logFigures)).newestEpoch?.epochNo ?? 0,
  );
  registry.gauge(
    "svc_service_log_published",
    "Checkpoints that the newest epoch of the service log covers.",
    async () => (await database.read(logFigures)).newestEpoch?.logSize ?? 0,
  );
  registry.gauge(
    "svc_service_log_lag_seconds",
    "Age of the first checkpoint that no epoch of the service log covers, in seconds.",
    async () => {
      const { unpublishedSince } = await database.read(logFigures);
      return unpublishedSince === null ? 0 : Math.max(0, (clock() - Date.parse(unpublishedSince)) / 1000);
    },
  );
}
