/** The public routes that say whether the service is up, and whether it can record and read. HTTP only. */
import { keys as contracts } from "@svc/api";
import { VERSION } from "@svc/core";
import { bind, json, type Route } from "@svc/host/http";
import type { Remote } from "@svc/host/parts";
import type { Readiness } from "./readiness.ts";

/** Returns the routes of health and readiness. */
export function readinessRoutes(writing: Remote<Readiness>, reading: Readiness): Route[] {
  return [
    bind(contracts.health, () => json({ status: "ok", version: VERSION })),
    bind(contracts.ready, async () => {
      await Promise.all([writing.check(), reading.check()]);
      return json({ status: "ready" });
    }),
  ];
}
