/**
 * Checks the order of a bundle's arrays: ascending, without repeats (protocol section 14). Records and windows have
 * separate checks.
 */
import type { CheckId } from "../../report/checks.ts";
import type { Examination } from "../../report/examination.ts";
import type { Artifacts, WitnessArtifact } from "./schema.ts";

type SortKey = readonly (number | string)[];

/** Checks the orders of checkpoints, anchors, policies and statements. */
export function examineOrders(exam: Examination, artifacts: Artifacts): void {
  const numbers = artifacts["checkpoints.json"].map(({ checkpoint_no }) => [checkpoint_no]);
  examineOrder(exam, "checkpoint_chain", numbers, "/artifacts/checkpoints.json");
  const epochs = artifacts["anchors.json"].map(({ epoch_no }) => [epoch_no]);
  examineOrder(exam, "anchor", epochs, "/artifacts/anchors.json");
  examineWitnessOrders(exam, artifacts["witnesses.json"], "/artifacts/witnesses.json");
}

/** Checks the orders of policies and statements. */
export function examineWitnessOrders(exam: Examination, witnesses: WitnessArtifact, path: string): void {
  const { policies, witness_policies, statements } = witnesses;
  const byVersion = ({ policy_version }: { readonly policy_version: number }) => [policy_version];
  examineOrder(exam, "policy", policies.map(byVersion), `${path}/policies`);
  examineOrder(exam, "policy", witness_policies.map(byVersion), `${path}/witness_policies`);
  const byStatement = statements.map(({ window_count, witness_id, key_epoch }) => [
    window_count,
    witness_id,
    key_epoch,
  ]);
  examineOrder(exam, "witness", byStatement, `${path}/statements`);
}

/** Checks that sort keys ascend without repeats. */
export function examineOrder(exam: Examination, check: CheckId, keys: readonly SortKey[], path: string): void {
  keys.forEach((key, index) => {
    const previous = keys[index - 1];
    exam.expect(check, previous === undefined || isBefore(previous, key), {
      code: "malformed",
      path: `${path}/${index}`,
      message: "The list is not in ascending order without repeats.",
    });
  });
}

function isBefore(a: SortKey, b: SortKey): boolean {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? "";
    if (value !== other) return value < other;
  }
  return false;
}
