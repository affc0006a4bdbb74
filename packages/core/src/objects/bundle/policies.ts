/**
 * The policies that a bundle shows: each window's is there, one policy_id holds along the stream, and versions never go
 * back (protocol section 6).
 */
import type { Examination } from "../../report/examination.ts";
import type { HashHex } from "../../schema/atoms.ts";
import type { Checkpoint } from "../checkpoint.ts";
import { KnownWitnesses } from "../known-witnesses.ts";
import { type Policy, policyDigest, witnessPolicyDigest } from "../policy.ts";
import type { Window } from "../window.ts";
import type { WitnessArtifact } from "./schema.ts";

/** The shown policies by digest. */
export interface ShownPolicies {
  readonly window: ReadonlyMap<HashHex, Policy>;
  readonly witness: ReadonlyMap<HashHex, KnownWitnesses>;
}

export function examinePolicies(
  exam: Examination,
  windows: readonly Window[],
  checkpoints: readonly Checkpoint[],
  { policies, witness_policies }: WitnessArtifact,
): ShownPolicies {
  const { kernel } = exam;
  const shown = {
    window: new Map(policies.map((policy) => [policyDigest(kernel, policy), policy])),
    witness: new Map(
      witness_policies.map((policy) => [
        witnessPolicyDigest(kernel, policy),
        new KnownWitnesses(kernel, policy, exam.trustedWitnesses),
      ]),
    ),
  };
  const witnessPolicies = new Map(witness_policies.map((policy) => [witnessPolicyDigest(kernel, policy), policy]));
  const policyId = checkpoints[0]?.policy_id ?? policies[0]?.policy_id;
  checkpoints.forEach((checkpoint, index) => {
    expectPolicyId(exam, policyId, checkpoint.policy_id, `/artifacts/checkpoints.json/${index}/policy_id`);
  });
  examineWindowPolicies(exam, policyId, windows, "policy_digest", shown.window);
  examineWindowPolicies(exam, policyId, windows, "witness_policy_digest", witnessPolicies);
  examineIndependence(exam, checkpoints, shown);
  return shown;
}

function examineWindowPolicies(
  exam: Examination,
  policyId: string | undefined,
  windows: readonly Window[],
  member: "policy_digest" | "witness_policy_digest",
  shown: ReadonlyMap<HashHex, { readonly policy_id: string; readonly policy_version: number }>,
): void {
  let version = 0;
  windows.forEach((window, index) => {
    const path = `/artifacts/windows.json/${index}/${member}`;
    exam.looked("policy");
    const policy = shown.get(window[member]);
    if (policy === undefined) {
      exam.reject("policy", {
        code: "policy_digest_mismatch",
        path,
        message: `The policy that window ${window.window_no} names is not among those shown.`,
        expected: window[member],
      });
      return;
    }
    expectPolicyId(exam, policyId, policy.policy_id, path);
    exam.expect("policy", policy.policy_version >= version, {
      code: "policy_version_decreased",
      path,
      message:
        `Window ${window.window_no} falls back to version ${policy.policy_version} of the policy, after version ` +
        `${version}.`,
    });
    version = Math.max(version, policy.policy_version);
  });
}

function expectPolicyId(exam: Examination, expected: string | undefined, actual: string, path: string): void {
  exam.expect("policy", actual === expected, {
    code: "policy_changed",
    path,
    message: "The policy_id changes along the stream.",
    expected: `${expected}`,
    actual,
  });
}

/** A service that lists its own sealing key as a witness would witness itself. */
function examineIndependence(exam: Examination, checkpoints: readonly Checkpoint[], shown: ShownPolicies): void {
  checkpoints.forEach((checkpoint, index) => {
    const sealingKey = exam.keys.publicKey(checkpoint.seal.kid);
    const witnesses = shown.witness.get(checkpoint.witness_policy_digest);
    exam.expect("policy", sealingKey === null || witnesses?.lists(sealingKey) !== true, {
      code: "witness_not_independent",
      path: `/artifacts/checkpoints.json/${index}/witness_policy_digest`,
      message: `The policy of checkpoint ${checkpoint.checkpoint_no} lists the key that sealed it as its own witness.`,
    });
  });
}
