/** The lists of fork evidence. HTTP only. */
import { forks as contracts } from "@svc/api";
import { bind, json, type Route } from "@svc/host/http";
import type { Forks } from "./forks.ts";

/** Returns the routes of the lists. */
export function forkRoutes(forks: Forks): Route[] {
  return [
    bind(contracts.list, async ({ principal, path, query: { limit, cursor } }) =>
      json(await forks.forks(principal, path.streamId, { limit, after: cursor })),
    ),
    bind(contracts.ofLog, async ({ query: { limit, cursor } }) => json(await forks.ofLog({ limit, after: cursor }))),
  ];
}
