/** What a program counts of itself. */
export { MetricsRegistry } from "./registry.ts";
export { RequestMetrics, requestMetrics } from "./request-metrics.ts";
