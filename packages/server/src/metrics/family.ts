/** The metrics: their route, and the metrics of the process. They are served only if they have a port or a token. */
import { metrics as contracts } from "@svc/api";
import type { ServerFamily } from "../context.ts";
import { databaseFiguresPart, processMetrics } from "./metrics.ts";
import { metricsRoutes } from "./routes.ts";
import { metricsSettings } from "./settings.ts";

/** The family of metrics. */
export const metrics = {
  name: "metrics",
  contracts: [contracts.metrics],
  settings: metricsSettings,
  metrics: processMetrics,
  parts: [databaseFiguresPart],
  open: ({ metrics }) => ({ routes: metricsRoutes(metrics) }),
} satisfies ServerFamily;
