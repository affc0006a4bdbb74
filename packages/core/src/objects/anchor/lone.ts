/**
 * An anchor that stands alone (protocol section 16): what it shows, it shows of its own epoch.
 */
import type { Examination } from "../../report/examination.ts";
import { settleAnchors } from "./cover.ts";
import { examineAnchor } from "./examine.ts";
import type { Anchor } from "./schema.ts";

/** Examines a lone anchor. Settles the signatures. Its cosignatures show that it was published, and are no stream's quorum. */
export function examineLoneAnchor(exam: Examination, anchor: Anchor): void {
  exam.subject = { id: anchor.anchor_epoch_id };
  exam.origin = anchor.origin;
  const examined = examineAnchor(exam, anchor, "");
  exam.settle();
  settleAnchors(exam, [{ ...examined, covered: [] }], [examined]);
}
