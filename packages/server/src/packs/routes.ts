/** The route that makes audit packs. HTTP only. */
import { packs as contracts } from "@svc/api";
import { bind, type Route } from "@svc/host/http";
import type { Service } from "../open-service.ts";
import { evidenceMissing } from "./missing-evidence.ts";

export function packRoutes({ createPack }: Service): Route[] {
  return [
    bind(contracts.create, async ({ principal, body, idempotencyKey }) => {
      const pieces = await createPack.create(principal, body, idempotencyKey);
      if ("missing" in pieces) throw evidenceMissing(pieces);
      return { pieces };
    }),
  ];
}
