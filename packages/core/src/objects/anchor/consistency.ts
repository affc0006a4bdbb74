/**
 * Consistency evidence over the service log: the later of two anchors extends the earlier (protocol sections 9 and 12).
 */
import { encodeHex, hexToBytes } from "../../encoding/hex.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import type { Examination } from "../../report/examination.ts";
import { Closed, Hash, type HashHex } from "../../schema/atoms.ts";
import * as Type from "../../schema/type.ts";
import { KeyEndorsements, KeyHints } from "../key-endorsement.ts";
import { settleAnchors } from "./cover.ts";
import { examineAnchor, provenTime } from "./examine.ts";
import { Anchor } from "./schema.ts";

/**
 * Proof that an epoch of the service log extends an earlier one (protocol sections 9 and 12). As JSON, shortened:
 *
 * ```json
 * {"from_anchor":{},"to_anchor":{},"consistency_path":["84dbe1…"]}
 * ```
 */
export const AnchorConsistency = Closed(
  {
    from_anchor: Anchor,
    to_anchor: Anchor,
    consistency_path: Type.Array(Hash),
    key_hints: Type.Optional(KeyHints),
    key_endorsements: Type.Optional(KeyEndorsements),
  },
  { $id: "anchor-consistency" },
);
export type AnchorConsistency = Type.Static<typeof AnchorConsistency>;

/**
 * Proves that an anchor extends an earlier one (protocol sections 9 and 12, RFC 9162 section 2.1.4.1). `from`, `to`:
 * anchors of one service log, the earlier one first. `checkpointHashes`: all leaves of the log up to `to`, in order, 64
 * lowercase hex characters each; more are ignored. Returns the evidence, without keys. Throws RangeError if there are
 * too few hashes, or if `from` covers more than `to`. It does not check that the hashes give the roots of the anchors:
 * `verify` does.
 *
 * @example
 * const later = { ...anchor, epoch_no: 2, log_size: 2 };
 * const log = [checkpointHash(kernel, checkpoint), ZERO_HASH];
 * console.log(issueAnchorConsistency(kernel, anchor, later, log).consistency_path.length); // 1
 */
export function issueAnchorConsistency(
  kernel: Kernel,
  from: Anchor,
  to: Anchor,
  checkpointHashes: readonly HashHex[],
): AnchorConsistency {
  if (checkpointHashes.length < to.log_size) throw new RangeError(`epoch ${to.epoch_no} covers more checkpoints`);
  const leaves = checkpointHashes.slice(0, to.log_size).map((hash) => kernel.leafHash(hexToBytes(hash)));
  const path = kernel.proveConsistency(leaves, from.log_size);
  return { from_anchor: from, to_anchor: to, consistency_path: path.map((hash) => encodeHex(hash) as HashHex) };
}

/**
 * Examines consistency evidence over anchors: both anchors, their order, and the proof between their roots. It settles
 * the signatures. Codes: those of an anchor, and consistency_invalid, origin_changed.
 */
export function examineAnchorConsistency(exam: Examination, evidence: AnchorConsistency): void {
  const { from_anchor: from, to_anchor: to, consistency_path } = evidence;
  exam.origin = to.origin;
  const earlier = examineAnchor(exam, from, "/from_anchor");
  const later = examineAnchor(exam, to, "/to_anchor");
  exam.expectEqual("consistency", "origin_changed", from.origin, to.origin, {
    path: "/to_anchor/origin",
    message: "The two anchors are of different service logs.",
    count: false,
  });
  exam.looked("consistency");
  const epochs = to.epoch_no - from.epoch_no;
  // Each epoch is a larger size of the log than the one before.
  exam.expect("consistency", epochs > 0 && to.log_size - from.log_size >= epochs, {
    code: "consistency_invalid",
    path: "/to_anchor",
    message: "The second anchor is not later than the first in number and log size.",
  });
  const holds = exam.kernel.verifyConsistency(
    from.log_size,
    hexToBytes(from.epoch_root),
    to.log_size,
    hexToBytes(to.epoch_root),
    consistency_path.map(hexToBytes),
  );
  exam.expect("consistency", holds, {
    code: "consistency_invalid",
    path: "/consistency_path",
    message: "The proof does not lead from the earlier epoch's root to the later one's.",
  });
  exam.settle();
  settleAnchors(
    exam,
    [earlier, later].map((anchor) => ({ ...anchor, covered: [] })),
    [later],
  );
  // The later epoch contains the earlier one: evidence that dates the later one dates both.
  if (exam.held("anchor", "note", "consistency")) exam.addSealTimeProof(provenTime(later), "/from_anchor/seal");
}
