/** The public route of witness policies. HTTP only. */
import { witnesses as contracts } from "@svc/api";
import { bind, json, type Route } from "@svc/host/http";
import type { Service } from "../open-service.ts";

export function witnessRoutes({ readPolicies }: Service): Route[] {
  return [
    bind(contracts.policy, async ({ path, query }) =>
      json(await readPolicies.read(path.policyId, query.version, query.digest)),
    ),
  ];
}
