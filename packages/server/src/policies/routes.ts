/** The routes of witness policies. HTTP only. */
import { policies as contracts } from "@svc/api";
import { bind, json, type Route } from "@svc/host/http";
import type { Remote } from "@svc/host/parts";
import type { DeclareWitnesses } from "./declare-witnesses.ts";
import type { ReadPolicies } from "./read-policies.ts";

/** Returns the routes of witness policies. */
export function policyRoutes(readPolicies: ReadPolicies, declareWitnesses: Remote<DeclareWitnesses>): Route[] {
  return [
    bind(contracts.policy, async ({ path, query }) =>
      json(await readPolicies.read(path.policyId, query.version, query.digest)),
    ),
    bind(contracts.declare, async ({ principal, path: { policyId }, body, value, idempotencyKey }) =>
      json(await declareWitnesses.declare(principal, { policyId, body, value, idempotencyKey })),
    ),
  ];
}
