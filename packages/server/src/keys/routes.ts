/** The public routes that say who this service is: its keys, and that it is up. HTTP only. */
import { keys as contracts } from "@svc/api";
import { VERSION } from "@svc/core";
import { bind, json, type Route } from "@svc/host/http";
import type { Service } from "../open-service.ts";

export function keyRoutes({ readiness, readKeys }: Service): Route[] {
  return [
    bind(contracts.keys, async () => json(await readKeys.read())),
    bind(contracts.health, () => json({ status: "ok", version: VERSION })),
    bind(contracts.ready, async () => {
      await readiness.check();
      return json({ status: "ready" });
    }),
  ];
}
