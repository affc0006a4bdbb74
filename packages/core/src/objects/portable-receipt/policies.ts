/**
 * The policies that a portable receipt shows: those of its checkpoint are there, a window here names each other one,
 * and there is one policy_id (protocol sections 6 and 13).
 */
import type { Examination } from "../../report/examination.ts";
import type { HashHex } from "../../schema/atoms.ts";
import type { WitnessArtifact } from "../bundle/schema.ts";
import type { Checkpoint } from "../checkpoint.ts";
import { KnownWitnesses } from "../known-witnesses.ts";
import { policyDigest, witnessPolicyDigest } from "../policy.ts";
import type { Window } from "../window.ts";

/** The members that both sorts of policy have. */
interface Versioned {
  readonly policy_id: string;
  readonly policy_version: number;
}

type DigestMember = "policy_digest" | "witness_policy_digest";

/** Checks the shown policies. Returns the checkpoint's witnesses; null if its witness policy is not shown. */
export function examineShownPolicies(
  exam: Examination,
  { policies, witness_policies }: WitnessArtifact,
  checkpoint: Checkpoint,
  window: Window,
): KnownWitnesses | null {
  const { kernel } = exam;
  const byDigest = new Map(policies.map((policy) => [policyDigest(kernel, policy), policy]));
  const witnessByDigest = new Map(witness_policies.map((policy) => [witnessPolicyDigest(kernel, policy), policy]));
  examineSort(exam, "policy_digest", byDigest, checkpoint, window, "/witnesses/policies");
  examineSort(exam, "witness_policy_digest", witnessByDigest, checkpoint, window, "/witnesses/witness_policies");
  const own = witnessByDigest.get(checkpoint.witness_policy_digest);
  if (own === undefined) return null;
  const witnesses = new KnownWitnesses(kernel, own, exam.trustedWitnesses);
  const sealingKey = exam.keys.publicKey(checkpoint.seal.kid);
  exam.expect("policy", sealingKey === null || !witnesses.lists(sealingKey), {
    code: "witness_not_independent",
    path: "/checkpoint/witness_policy_digest",
    message: `The policy of checkpoint ${checkpoint.checkpoint_no} lists the key that sealed it as its own witness.`,
  });
  return witnesses;
}

function examineSort(
  exam: Examination,
  member: DigestMember,
  shown: ReadonlyMap<HashHex, Versioned>,
  checkpoint: Checkpoint,
  window: Window,
  path: string,
): void {
  exam.looked("policy");
  const current = shown.get(checkpoint[member]);
  exam.expect("policy", current !== undefined, {
    code: "policy_digest_mismatch",
    path,
    message: `The policy that checkpoint ${checkpoint.checkpoint_no} names is not among those shown.`,
    expected: checkpoint[member],
  });
  for (const [digest, { policy_id }] of shown) {
    exam.expect("policy", digest === checkpoint[member] || digest === window[member], {
      code: "policy_digest_mismatch",
      path,
      message: "A policy is shown that neither the event's window nor the checkpoint names.",
      actual: digest,
    });
    exam.expect("policy", policy_id === checkpoint.policy_id, {
      code: "policy_changed",
      path,
      message: "A policy is shown that has another policy_id than the checkpoint names.",
      expected: checkpoint.policy_id,
      actual: policy_id,
    });
  }
  const earlier = shown.get(window[member]);
  exam.expect("policy", (earlier?.policy_version ?? 0) <= (current?.policy_version ?? Number.MAX_SAFE_INTEGER), {
    code: "policy_version_decreased",
    path,
    message: `The checkpoint's policy has an older version than that of window ${window.window_no} before it.`,
  });
}
