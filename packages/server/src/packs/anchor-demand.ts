/**
 * The demand of a policy for an anchor (protocol section 14): where the policy of the last window requires one, a
 * bundle without an anchor that is final in a chain is rejected, so none is made.
 */
import type { Checkpoint, Policy } from "@svc/core";
import type { Reader } from "@svc/host/store";
import { policyVersions } from "../policies/policies-store.ts";
import { leafOf } from "../service-log/leaves-store.ts";
import { firstMinedNo } from "../service-log/mined-store.ts";

/** Returns the demand of the policy that a checkpoint names, out of the versions of its policies. */
export function anchorDemand(
  versions: readonly { readonly policy: Policy; readonly policyDigest: string }[],
  { policy_digest }: Pick<Checkpoint, "policy_digest">,
): Policy["anchor"] {
  return versions.find(({ policyDigest }) => policyDigest === policy_digest)?.policy.anchor ?? "none";
}

/** Resolves to whether evidence that ends with a checkpoint of a tenant's stream waits for an anchor. */
export async function awaitsAnchor(
  reader: Reader,
  tenantId: string,
  checkpoint: Pick<Checkpoint, "checkpoint_id" | "policy_id" | "policy_digest">,
): Promise<boolean> {
  const versions = await policyVersions(reader, tenantId, checkpoint.policy_id);
  if (anchorDemand(versions, checkpoint) !== "required") return false;
  const leaf = await leafOf(reader, checkpoint.checkpoint_id);
  return leaf === null || (await firstMinedNo(reader, leaf.leaf_index)) === null;
}
