/** The state of the service: whether it is up, and whether it can record. */
import { keys as contracts } from "@svc/api";
import type { ServerFamily } from "../context.ts";
import { readinessPart } from "./readiness.ts";
import { readinessRoutes } from "./routes.ts";

/** The family of health and readiness. */
export const readiness = {
  name: "readiness",
  contracts: [contracts.health, contracts.ready],
  parts: [readinessPart],
  open: ({ parts }) => ({ routes: readinessRoutes(parts.use(readinessPart)) }),
} satisfies ServerFamily;
