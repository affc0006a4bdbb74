/** The metrics of the process and its database. The metrics of each family are in its own folder. */
import { stat } from "node:fs/promises";
import type { MetricsRegistry } from "@svc/host/metrics";
import type { Context } from "../context.ts";
import { failed } from "../notices.ts";

/** Adds these metrics to a registry. */
export function processMetrics(registry: MetricsRegistry, { channel, embedded, folder }: Context): void {
  const failures = registry.counter(
    "svc_background_failures_total",
    "Steps beside the requests, as of the sealer, that failed and will be tried again.",
  );
  channel.subscribe(failed, () => failures.inc());
  registry.gauge(
    "svc_database_commits",
    "Commits that were waited for until they were on disk; several events share one.",
    async () => embedded.commits,
  );
  registry.gauge(
    "svc_database_bytes",
    "Size of the database file, without its log.",
    async () => (await stat(folder.databasePath)).size,
  );
  registry.addProcess();
}
