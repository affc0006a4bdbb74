/** The metrics: their route, and what is counted of the process. They are served where a port or a token of theirs is set. */
import { metrics as contracts } from "@svc/api";
import type { ServerFamily } from "../context.ts";
import { processMetrics } from "./metrics.ts";
import { metricsRoutes } from "./routes.ts";
import { metricsSettings } from "./settings.ts";

export const metrics = {
  name: "metrics",
  contracts: [contracts.metrics],
  settings: metricsSettings,
  metrics: processMetrics,
  open: ({ metrics }) => ({ routes: metricsRoutes(metrics) }),
} satisfies ServerFamily;
