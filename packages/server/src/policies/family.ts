/** The policies that windows and checkpoints name. */

import { policies as contracts } from "@svc/api";
import { administrationTable } from "@svc/host/store";
import type { ServerFamily } from "../context.ts";
import { checkPolicies } from "./check-policies.ts";
import { declareWitnessesPart } from "./declare-witnesses.ts";
import { policyDeclared, witnessKeyRotated } from "./events.ts";
import { policies as policyVersions } from "./migrations/0005-policies.ts";
import { policiesOfTenants } from "./migrations/0015-policies-of-tenants.ts";
import { ReadPolicies } from "./read-policies.ts";
import { policyRoutes } from "./routes.ts";

/** Policies without tenant are built in. */
const POLICY_KEY = ["policy_id", "COALESCE(tenant_id, '')", "policy_version"];

/** The family of policies. */
export const policies = {
  name: "policies",
  events: [policyDeclared, witnessKeyRotated],
  contracts: [contracts.policy, contracts.declare],
  tables: [administrationTable("policies", ...POLICY_KEY), administrationTable("witness_policies", ...POLICY_KEY)],
  migrations: [policyVersions, policiesOfTenants],
  parts: [declareWitnessesPart],
  open: (context) => ({
    routes: policyRoutes(new ReadPolicies(context), context.parts.use(declareWitnessesPart)),
  }),
  check: checkPolicies,
} satisfies ServerFamily;
