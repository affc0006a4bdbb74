/** The public route of witness policies. HTTP only. */
import { schemas } from "@svc/core";
import { ordinal } from "../http/parameters.ts";
import { json, type Route, route } from "../http/route.ts";
import type { Service } from "../open-service.ts";

export function witnessRoutes({ readPolicies }: Service): Route[] {
  return [
    route({
      method: "GET",
      path: "/v2/witness/policies/{policyId}",
      chapter: "evidence",
      summary: "The witness policy of a policy, as it is hashed.",
      access: "public",
      query: { version: ordinal("the version of the policy; the newest where it is not there") },
      answer: { status: 200, description: "The resolved witness policy.", schema: schemas.WitnessPolicy },
      errors: ["policy_not_found"],
      handle: async ({ path, query }) => json(await readPolicies.read(path.policyId, query.version)),
    }),
  ];
}
