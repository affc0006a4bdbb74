/** The policies that windows and checkpoints name. */

import { policies as contracts } from "@svc/api";
import type { ServerFamily } from "../context.ts";
import { checkPolicies } from "./check-policies.ts";
import { declareWitnessesPart } from "./declare-witnesses.ts";
import { policies as policyVersions } from "./migrations/0005-policies.ts";
import { policiesOfTenants } from "./migrations/0015-policies-of-tenants.ts";
import { ReadPolicies } from "./read-policies.ts";
import { policyRoutes } from "./routes.ts";

/** The family of policies. */
export const policies = {
  name: "policies",
  contracts: [contracts.policy, contracts.declare],
  migrations: [policyVersions, policiesOfTenants],
  parts: [declareWitnessesPart],
  open: (context) => ({
    routes: policyRoutes(new ReadPolicies(context), context.parts.use(declareWitnessesPart)),
  }),
  check: checkPolicies,
} satisfies ServerFamily;
