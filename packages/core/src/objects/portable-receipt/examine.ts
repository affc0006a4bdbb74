/**
 * The examination of a portable receipt (protocol section 13): from the event through its window to a checkpoint, and
 * to those who vouch for that checkpoint. Missing parts are left out, and the report says so.
 */
import type { Examination } from "../../report/examination.ts";
import { coverable, examineCover, settleAnchors } from "../anchor/cover.ts";
import { examineAnchor } from "../anchor/examine.ts";
import { examineWitnessOrders } from "../bundle/order.ts";
import {
  type Checkpoint,
  checkpointHash,
  examineCheckpoint,
  examineListedWindows,
  pinnedWitnesses,
} from "../checkpoint.ts";
import { examineRoot } from "../checkpoint-roots.ts";
import { Cosignatures } from "../cosignatures.ts";
import type { KnownWitnesses } from "../known-witnesses.ts";
import { examineQuorum } from "../quorum.ts";
import { examineReceipt } from "../receipt.ts";
import type { Window } from "../window.ts";
import { examineShownPolicies } from "./policies.ts";
import type { PortableReceipt } from "./schema.ts";
import {
  examineCheckpointEnd,
  examineCheckpointInclusion,
  examineEventWindow,
  examineLastWindow,
  expectStream,
} from "./tree.ts";

/** The checks that together show the event under a window under a checkpoint. */
const COMMITTED = [
  "payload_hash",
  "event_hash",
  "inclusion",
  "window_seal",
  "checkpoint_root",
  "checkpoint_seal",
  "note",
] as const;

/** Examines a portable receipt. It settles the signatures. */
export function examinePortableReceipt(exam: Examination, portable: PortableReceipt): void {
  const { receipt, inclusion, window, checkpoint_inclusion, checkpoint } = portable;
  exam.origin = checkpoint?.origin;
  examineReceipt(exam, receipt, "/receipt");
  if (inclusion === undefined || window === undefined) {
    exam.notChecked("inclusion", "no window here: nothing shows that the event is in one");
    leaveOutCheckpoint(exam);
    return;
  }
  examineEventWindow(exam, receipt, inclusion, window);
  if (checkpoint_inclusion === undefined || checkpoint === undefined) {
    leaveOutCheckpoint(exam);
    return;
  }
  expectStream(exam, "checkpoint_root", checkpoint, receipt.stream_id, "The checkpoint", "/checkpoint");
  examineListedWindows(exam, checkpoint, "/checkpoint");
  examineRoot(exam, checkpoint, "/checkpoint");
  examineCheckpointInclusion(exam, window, checkpoint, checkpoint_inclusion, "/checkpoint_inclusion");
  const last = portable.last_window;
  if (last !== undefined) examineLastWindow(exam, last, window, checkpoint);
  examineCheckpointEnd(exam, checkpoint, last?.window ?? window);
  examineVouchers(exam, portable, checkpoint, window);
  exam.included = exam.held(...COMMITTED);
}

/** Examines the evidence for the checkpoint: its seal and note, its witnesses, its anchor. */
function examineVouchers(exam: Examination, portable: PortableReceipt, checkpoint: Checkpoint, window: Window): void {
  const { witnesses } = portable;
  let shown: KnownWitnesses | null = null;
  if (witnesses === undefined) exam.notChecked("policy", "no policies here");
  else {
    shown = examineShownPolicies(exam, witnesses, checkpoint, window);
    examineWitnessOrders(exam, witnesses, "/witnesses");
  }
  const known = shown ?? pinnedWitnesses(exam);
  const cosigned = { ...checkpoint, checkpoint_hash: checkpointHash(exam.kernel, checkpoint) };
  const cosignatures = new Cosignatures(exam, cosigned, known);
  examineCheckpoint(exam, checkpoint, cosignatures, "/checkpoint");
  witnesses?.statements.forEach((statement, index) => {
    cosignatures.addStatement(statement, `/witnesses/statements/${index}`);
  });
  const anchors = portable.anchor === undefined ? [] : [examineAnchor(exam, portable.anchor, "/anchor", known)];
  const covering = anchors.map((anchor) => examineCover(exam, anchor, coverable([cosigned])));
  if (covering.length === 0) exam.notChecked("anchor", "no anchor here");
  exam.settle();
  settleAnchors(exam, covering, covering);
  exam.addTimeProof(cosignatures.earliestPinnedTime, checkpoint.to_seq_no);
  const path = witnesses === undefined ? "/checkpoint/note" : "/witnesses/statements";
  examineQuorum(exam, cosignatures, known.policy?.threshold ?? null, path);
}

function leaveOutCheckpoint(exam: Examination): void {
  for (const check of ["checkpoint_root", "witness", "anchor", "known_checkpoint"] as const)
    exam.notChecked(check, "no checkpoint here");
}
