/** The route of the metrics. HTTP only. */
import Type from "typebox";
import { type Route, route } from "../http/route.ts";
import type { Service } from "../open-service.ts";
import type { Metrics } from "./metrics.ts";

export function metricsRoutes(metrics: Metrics, { readBacklog }: Pick<Service, "readBacklog">): Route[] {
  return [
    route({
      method: "GET",
      path: "/metrics",
      chapter: "service",
      summary: "What this process counts of itself.",
      description:
        "In the text format of Prometheus. No label names a stream, a key, a tenant or anything of a payload.",
      access: "metrics",
      answer: {
        status: 200,
        description: "The metrics.",
        schema: Type.String(),
        mediaType: "text/plain; version=0.0.4",
      },
      handle: async () => ({ text: await metrics.text(await readBacklog.read()) }),
    }),
  ];
}
