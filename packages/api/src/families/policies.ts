/** The public route of witness policies. */
import { schemas } from "@svc/core";
import { contract } from "../contract.ts";
import { hash, ordinal } from "../parameters.ts";

export const policy = contract({
  method: "GET",
  path: "/v2/witness/policies/{policyId}",
  chapter: "evidence",
  summary: "The witness policy of a policy, as it is hashed.",
  description:
    "Policy ids are each tenant's own, so a declared policy is found by its id and its `digest`. The id alone is enough for a built-in policy, and for any where the deployment has one tenant.",
  access: "public",
  query: {
    version: ordinal("the version of the policy; the newest where neither it nor the digest is there"),
    digest: hash("the `witness_policy_digest` of a window or checkpoint"),
  },
  answer: { status: 200, description: "The resolved witness policy.", schema: schemas.WitnessPolicy },
  errors: ["policy_not_found"],
});
