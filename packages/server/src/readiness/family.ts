/** The state of the service: whether it is up, and whether it can record and read. */
import { keys as contracts } from "@svc/api";
import type { ServerFamily } from "../context.ts";
import { readable, readinessPart } from "./readiness.ts";
import { readinessRoutes } from "./routes.ts";

/** The family of health and readiness. */
export const readiness = {
  name: "readiness",
  contracts: [contracts.health, contracts.ready],
  parts: [readinessPart],
  open: ({ parts, database }) => ({ routes: readinessRoutes(parts.use(readinessPart), readable(database)) }),
} satisfies ServerFamily;
