/** The public route of witness policies. HTTP only. */
import { policies as contracts } from "@svc/api";
import { bind, json, type Route } from "@svc/host/http";
import type { ReadPolicies } from "./read-policies.ts";

/** Returns the route of witness policies. */
export function policyRoutes(readPolicies: ReadPolicies): Route[] {
  return [
    bind(contracts.policy, async ({ path, query }) =>
      json(await readPolicies.read(path.policyId, query.version, query.digest)),
    ),
  ];
}
