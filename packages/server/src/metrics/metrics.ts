/** The metrics of the process and its database. The metrics of each family are in its own folder. */
import { stat } from "node:fs/promises";
import type { MetricsRegistry } from "@svc/host/metrics";
import { part } from "@svc/host/parts";
import type { AnsweringContext, Context } from "../context.ts";
import { failed } from "../notices.ts";

/** The figures that only the side that records can tell. */
export const databaseFiguresPart = part("figures of the database", ({ database }: Context) => ({
  commits: async () => database.commits,
}));

/** Adds these metrics to a registry. */
export function processMetrics(registry: MetricsRegistry, { channel, parts, folder }: AnsweringContext): void {
  const failures = registry.counter(
    "svc_background_failures_total",
    "Steps beside the requests, as of the sealer, that failed and will be tried again.",
  );
  const figures = parts.use(databaseFiguresPart);
  channel.subscribe(failed, () => failures.inc());
  registry.gauge(
    "svc_database_commits",
    "Commits that were waited for until they were on disk; several events share one.",
    () => figures.commits(),
  );
  const { databaseFile } = folder;
  if (databaseFile !== null)
    registry.gauge(
      "svc_database_bytes",
      "Size of the database file, without its log.",
      async () => (await stat(databaseFile)).size,
    );
  registry.addProcess();
}
