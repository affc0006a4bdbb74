/**
 * The anchors of a bundle (protocol sections 12 and 14): each holds, covers a checkpoint here, and comes from one
 * growing log. If the last window's policy demands one, the last checkpoint's is mined.
 */
import type { Examination } from "../../report/examination.ts";
import { mergedKeys } from "../anchor/cosigners.ts";
import { type CoveringAnchor, coverable, examineCover, settleAnchors } from "../anchor/cover.ts";
import { examineAnchor } from "../anchor/examine.ts";
import { asCosigned, pinnedWitnesses } from "../checkpoint.ts";
import type { ShownPolicies } from "./policies.ts";
import type { Artifacts, Bundle } from "./schema.ts";

const PATH = "/artifacts/anchors.json";

/** Examines the anchors of a bundle. `settleBundleAnchors` settles them once the signatures are settled. */
export function examineBundleAnchors(
  exam: Examination,
  { artifacts }: Bundle,
  policies: ShownPolicies,
): CoveringAnchor[] {
  const checkpoints = coverable(artifacts["checkpoints.json"].map((checkpoint) => asCosigned(exam.kernel, checkpoint)));
  const witnesses = mergedKeys([pinnedWitnesses(exam), ...policies.witness.values()]);
  const anchors = artifacts["anchors.json"].map((anchor, index) => {
    const examined = examineAnchor(exam, anchor, `${PATH}/${index}`, witnesses);
    return examineCover(exam, examined, checkpoints);
  });
  examineGrowth(exam, artifacts);
  examineDemand(exam, artifacts, policies, anchors);
  if (anchors.length === 0) exam.notChecked("anchor", "no anchor in the bundle");
  return anchors;
}

/** Notes what the anchors show; for the bundle as a whole, only those count that cover its last checkpoint. */
export function settleBundleAnchors(
  exam: Examination,
  { artifacts }: Bundle,
  anchors: readonly CoveringAnchor[],
): void {
  settleAnchors(
    exam,
    anchors,
    anchors.filter((anchor) => coversLast(artifacts, anchor)),
  );
}

/** A later epoch is a larger size of the log. */
function examineGrowth(exam: Examination, artifacts: Artifacts): void {
  artifacts["anchors.json"].forEach((anchor, index, anchors) => {
    const before = anchors[index - 1];
    if (before === undefined || anchor.epoch_no <= before.epoch_no) return;
    const grows = anchor.log_size - before.log_size >= anchor.epoch_no - before.epoch_no;
    exam.expect("anchor", grows, {
      code: "anchor_does_not_bind",
      path: `${PATH}/${index}/log_size`,
      message:
        `Epoch ${anchor.epoch_no} is no larger than epoch ${before.epoch_no} leaves it: number and size of the log ` +
        `rise together.`,
      expected: `at least ${before.log_size + anchor.epoch_no - before.epoch_no}`,
      actual: `${anchor.log_size}`,
    });
  });
}

function examineDemand(
  exam: Examination,
  artifacts: Artifacts,
  policies: ShownPolicies,
  anchors: readonly CoveringAnchor[],
): void {
  const lastWindow = artifacts["windows.json"].at(-1);
  if (lastWindow === undefined || policies.window.get(lastWindow.policy_digest)?.anchor !== "required") return;
  exam.looked("anchor");
  const isThere = anchors.some((anchor) => anchor.state === "mined" && coversLast(artifacts, anchor));
  exam.expect("anchor", isThere, {
    code: "anchor_missing",
    path: PATH,
    message: "The policy of the last window requires a mined anchor of the last checkpoint, and none is here.",
  });
}

function coversLast(artifacts: Artifacts, { covered }: CoveringAnchor): boolean {
  const last = artifacts["checkpoints.json"].at(-1);
  return covered.some((checkpoint) => checkpoint.checkpoint_id === last?.checkpoint_id);
}
