/** The metrics of exports. */
import type { MetricsRegistry } from "@svc/host/metrics";
import type { AnsweringContext } from "../context.ts";
import { built } from "./built.ts";
import { waitingExports } from "./exports-store.ts";

const BUCKETS_S = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

/** Adds the metrics of builds and of waiting exports. */
export function exportMetrics(registry: MetricsRegistry, { channel, database }: AnsweringContext): void {
  const builds = registry.counter("svc_export_builds_total", "Builds of truth packages by this process, by outcome.", [
    "outcome",
  ]);
  const bytes = registry.counter("svc_export_built_bytes_total", "Bytes of truth packages built by this process.");
  const duration = registry.histogram(
    "svc_export_build_duration_seconds",
    "How long builds of truth packages took.",
    BUCKETS_S,
  );
  channel.subscribe(built, ({ isReady, sizeBytes, seconds }) => {
    builds.inc({ outcome: isReady ? "ready" : "failed" });
    if (!isReady) return;
    bytes.inc(sizeBytes);
    duration.observe(seconds);
  });
  registry.gauge("svc_exports_waiting", "Exports whose truth package is not built yet.", () =>
    database.read(waitingExports),
  );
}
