/**
 * The examination of an anchor (protocol section 12): its seal, its note, the places of its members in the service log,
 * and, if it is mined, its evidence of the chain. cover.ts decides whether it covers the objects beside it.
 */
import { hexToBytes } from "../../encoding/hex.ts";
import type { CheckId } from "../../report/checks.ts";
import type { Examination } from "../../report/examination.ts";
import { pinnedWitnesses } from "../checkpoint.ts";
import { examineOwnNote } from "../own-note.ts";
import type { ProvenBlock } from "./chain-examiner.ts";
import { Cosigners, type LineKeys } from "./cosigners.ts";
import { anchorBody } from "./epoch.ts";
import type { Anchor } from "./schema.ts";
import { type AnchorState, anchorState, isMined, type MinedAnchor } from "./state.ts";

/** The checks under which an anchor is reported; the object around it may pass others. */
export interface AnchorChecks {
  readonly anchor: CheckId;
  readonly note: CheckId;
}

const OWN_CHECKS: AnchorChecks = { anchor: "anchor", note: "note" };

/** The results of an anchor. `cosigners` can be read once the examination has settled its signatures. */
export interface ExaminedAnchor {
  readonly anchor: Anchor;
  /** JSON Pointer to the anchor. */
  readonly path: string;
  /** Null if its nulls fit no state. */
  readonly state: AnchorState | null;
  /** Null if it is not mined, or if the evidence does not hold. */
  readonly block: ProvenBlock | null;
  readonly cosigners: Cosigners;
}

/**
 * Examines an anchor at `path`. `witnesses` are those whose lines in its note must hold: the pinned ones, and those of
 * the policies that are shown beside it. Codes: signature_invalid, note_malformed, note_mismatch,
 * witness_signature_invalid, anchor_evidence_invalid, anchor_does_not_bind. It changes neither subject nor assurance.
 */
export function examineAnchor(
  exam: Examination,
  anchor: Anchor,
  path: string,
  witnesses: LineKeys = pinnedWitnesses(exam),
  checks: AnchorChecks = OWN_CHECKS,
): ExaminedAnchor {
  const { origin, epoch_no, log_size, epoch_root, anchored_at, seal } = anchor;
  const what = `epoch ${epoch_no} of the service log`;
  exam.seal(checks.anchor, "anchor", anchorBody(anchor), seal, {
    path: `${path}/seal`,
    what,
    serviceOrigin: origin,
    ownTime: anchored_at,
  });
  const head = { origin, size: log_size, rootHash: epoch_root, kid: seal.kid, what };
  const note = examineOwnNote(exam, head, anchor.note, `${path}/note`, checks.note);
  const cosigners = new Cosigners();
  if (note !== null) cosigners.addNote(exam, note, witnesses, `${path}/note`, checks.note);
  examineMembers(exam, anchor, path, checks.anchor);
  const state = examineState(exam, anchor, path, checks.anchor);
  const block = isMined(anchor) ? examineMined(exam, anchor, path, checks.anchor) : null;
  return { anchor, path, state, block, cosigners };
}

/**
 * Returns the time, in Unix seconds, at which the epoch is shown to have existed: a pinned block's, or a pinned
 * witness's, the earlier of the two; null without one. An anchor that is sent and not mined shows none. Call it after
 * the signatures are settled.
 */
export function provenTime({ state, block, cosigners }: ExaminedAnchor): number | null {
  if (state === null || state === "pending") return null;
  const times = [block?.isPinned === true ? block.unixSeconds : null, cosigners.earliestPinnedTime];
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** Checks that every member's path leads from its checkpoint hash to the epoch's root. */
function examineMembers(exam: Examination, anchor: Anchor, path: string, check: CheckId): void {
  const { kernel } = exam;
  const { epoch_no, log_size, members } = anchor;
  const root = hexToBytes(anchor.epoch_root);
  exam.looked(check, members.length);
  members.forEach(({ checkpoint_id, checkpoint_hash, leaf_index, inclusion_path }, index) => {
    const leaf = kernel.leafHash(hexToBytes(checkpoint_hash));
    const holds = kernel.verifyInclusion(leaf, leaf_index, log_size, inclusion_path.map(hexToBytes), root);
    exam.expect(check, holds, {
      code: "anchor_does_not_bind",
      path: `${path}/members/${index}`,
      message: `The path of ${checkpoint_id} does not lead to the root of epoch ${epoch_no}.`,
    });
  });
}

function examineState(exam: Examination, anchor: Anchor, path: string, check: CheckId): AnchorState | null {
  const found = anchorState(anchor);
  if ("state" in found) return found.state;
  exam.reject(check, {
    code: "anchor_evidence_invalid",
    path: `${path}/${found.misfit}`,
    message:
      `Epoch ${anchor.epoch_no} is neither published only, nor sent, nor mined: ${found.misfit} is null, and ` +
      `others are not.`,
  });
  return null;
}

function examineMined(exam: Examination, anchor: MinedAnchor, path: string, check: CheckId): ProvenBlock | null {
  if (exam.chain !== null) return exam.chain(exam, anchor, path, check);
  // An unchecked block must not look like a checked one.
  exam.reject(check, {
    code: "unsupported_object",
    path: `${path}/evidence`,
    message: "This verifier does not check the evidence of a chain.",
  });
  return null;
}
