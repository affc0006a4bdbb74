/** The route of the metrics. HTTP only. */
import { metrics as contracts } from "@svc/api";
import { bind, type Route } from "@svc/host/http";
import type { Service } from "../open-service.ts";
import type { Metrics } from "./metrics.ts";

export function metricsRoutes(metrics: Metrics, { readBacklog }: Pick<Service, "readBacklog">): Route[] {
  return [bind(contracts.metrics, async () => ({ text: await metrics.text(await readBacklog.read()) }))];
}
