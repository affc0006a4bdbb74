/** The route of the metrics. HTTP only. */
import { metrics as contracts } from "@svc/api";
import { bind, type Route } from "@svc/host/http";
import type { MetricsRegistry } from "@svc/host/metrics";

/** Returns the route of the metrics, in the text format of Prometheus. */
export function metricsRoutes(registry: MetricsRegistry): Route[] {
  return [bind(contracts.metrics, async () => ({ text: await registry.text() }))];
}
