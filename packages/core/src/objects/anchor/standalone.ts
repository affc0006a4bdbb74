/** An anchor that stands alone (protocol section 16): it shows something about its epoch only. */
import type { Examination } from "../../report/examination.ts";
import { settleAnchors } from "./cover.ts";
import { examineAnchor } from "./examine.ts";
import type { Anchor } from "./schema.ts";

/**
 * Examines a standalone anchor. It settles the signatures. The cosignatures show that the epoch was published, and are
 * no stream's quorum.
 */
export function examineStandaloneAnchor(exam: Examination, anchor: Anchor): void {
  exam.subject = { id: anchor.anchor_epoch_id };
  exam.origin = anchor.origin;
  const examined = examineAnchor(exam, anchor, "");
  exam.settle();
  settleAnchors(exam, [{ ...examined, covered: [] }], [examined]);
}
