/** The policies that windows and checkpoints name. */

import { policies as contracts } from "@svc/api";
import type { ServerFamily } from "../context.ts";
import { checkPolicies } from "./check-policies.ts";
import { policies as policyVersions } from "./migrations/0005-policies.ts";
import { policiesOfTenants } from "./migrations/0015-policies-of-tenants.ts";
import { ReadPolicies } from "./read-policies.ts";
import { policyRoutes } from "./routes.ts";

/** The family of policies. */
export const policies = {
  name: "policies",
  contracts: [contracts.policy],
  migrations: [policyVersions, policiesOfTenants],
  open: (context) => ({ routes: policyRoutes(new ReadPolicies(context)) }),
  check: checkPolicies,
} satisfies ServerFamily;
