/** The route that makes audit packs. HTTP only. */
import { packs as contracts } from "@svc/api";
import { bind, type Route } from "@svc/host/http";
import type { Service } from "../open-service.ts";

export function packRoutes({ createPack }: Service): Route[] {
  return [
    bind(contracts.create, async ({ principal, body, idempotencyKey }) => ({
      pieces: await createPack.create(principal, body, idempotencyKey),
    })),
  ];
}
