/** The policies that windows and checkpoints name. */
import { policies as contracts } from "@svc/api";
import type { ServerFamily } from "../context.ts";
import { ReadPolicies } from "./read-policies.ts";
import { policyRoutes } from "./routes.ts";

export const policies = {
  name: "policies",
  contracts: [contracts.policy],
  open: (context) => ({ routes: policyRoutes(new ReadPolicies(context)) }),
} satisfies ServerFamily;
