/** The metrics of a program. */
export { MetricsRegistry } from "./registry.ts";
export { RequestMetrics, requestMetrics } from "./request-metrics.ts";
