/** The metrics of a program. */
export { MetricsRegistry } from "./registry.ts";
export { RequestMetrics } from "./request-metrics.ts";
export { metricsSettingsOf } from "./settings.ts";
