/**
 * Fork evidence of the kind `omission` (protocol section 11): a receipt, and a later checkpoint that should cover its
 * event and does not.
 */
import type { Checkpoint } from "../checkpoint.ts";
import { type Policy, policyDigest } from "../policy.ts";
import type { ReceiptRecord } from "../receipt.ts";
import type { ForkRule } from "./rules.ts";

/** A checkpoint must cover an event after so many times the longest window. */
const PATIENCE = 2;
const MILLISECONDS = 1000;

/** The rule for the kind `omission`. */
export const brokenPromise: ForkRule = (kernel, left, right, { policy }) => {
  if (left.type !== "receipt" || right.type !== "checkpoint")
    return "the left side must be a receipt, the right one a checkpoint";
  if (policy === undefined) return "no policy is there to judge by";
  if (policyDigest(kernel, policy) !== right.value.policy_digest)
    return "the policy is not the one that the checkpoint names";
  if (right.value.to_seq_no >= left.value.seq_no) return "the checkpoint covers the receipt's event";
  return isOverdue(left.value, right.value, policy) ? null : "the checkpoint was made while the promise still had time";
};

/** Says whether a checkpoint was made at a time at which it should have covered a receipt's event. */
export function isOverdue(
  { received_at }: ReceiptRecord,
  { created_at }: Checkpoint,
  { window_max_seconds }: Policy,
): boolean {
  return Date.parse(created_at) - Date.parse(received_at) > PATIENCE * window_max_seconds * MILLISECONDS;
}
