/** The routes of the service log: its epochs, one by one and in order, and the consistency of two. HTTP only. */
import { serviceLog as contracts } from "@svc/api";
import { bind, json, type Route } from "@svc/host/http";
import type { ReadAnchors } from "./read-anchors.ts";

/** Returns the routes of the service log. */
export function serviceLogRoutes(readAnchors: ReadAnchors): Route[] {
  return [
    bind(contracts.anchors, async ({ query: { limit, cursor: after } }) =>
      json(await readAnchors.anchors({ limit, after })),
    ),
    bind(contracts.anchor, async ({ path, query }) => json(await readAnchors.anchor(path.anchorId, query.checkpoint))),
    bind(contracts.anchorNote, async ({ path }) => ({ text: await readAnchors.note(path.anchorId) })),
    bind(contracts.anchorConsistency, async ({ path, query }) =>
      json(await readAnchors.consistency(path.anchorId, query.from)),
    ),
  ];
}
