/** The route that erases the payload of an event. HTTP only. */
import { erasure as contracts } from "@svc/api";
import { bind, json, type Route } from "@svc/host/http";
import type { Remote } from "@svc/host/parts";
import type { EraseEvent } from "./erase-event.ts";

/** Returns the route of erasure. */
export function erasureRoutes(eraseEvent: Remote<EraseEvent>): Route[] {
  return [
    bind(contracts.erase, async ({ principal, path, body: { reason }, idempotencyKey }) =>
      json(await eraseEvent.erase(principal, { ...path, reason, idempotencyKey })),
    ),
  ];
}
