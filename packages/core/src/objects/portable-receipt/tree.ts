/**
 * Checks how the event, its window, the checkpoint and the checkpoint's last window are bound to each other in a
 * portable receipt (protocol sections 8, 9 and 13).
 */
import { hexToBytes } from "../../encoding/hex.ts";
import type { CheckId } from "../../report/checks.ts";
import type { Examination } from "../../report/examination.ts";
import type { HashHex } from "../../schema/atoms.ts";
import type { Checkpoint } from "../checkpoint.ts";
import { examineInclusion, type Inclusion } from "../inclusion.ts";
import type { ReceiptRecord } from "../receipt.ts";
import { examineWindow, examineWindowPlace, type Window, windowHash } from "../window.ts";
import type { CheckpointInclusion, LastWindow } from "./schema.ts";

/** In these members a checkpoint equals its last window (protocol section 9). */
const OF_LAST_WINDOW = ["to_seq_no", "stream_head_hash", "policy_digest", "witness_policy_digest"] as const;

/** Checks that a part is of the receipt's stream. */
export function expectStream(
  exam: Examination,
  check: CheckId,
  part: { readonly stream_id: string },
  streamId: string,
  what: string,
  path: string,
): void {
  exam.expectEqual(check, "stream_mismatch", streamId, part.stream_id, {
    path: `${path}/stream_id`,
    message: `${what} is of another stream than the receipt.`,
    count: false,
  });
}

/** Checks the event's window, and that the record is an event of it. */
export function examineEventWindow(
  exam: Examination,
  record: ReceiptRecord,
  inclusion: Inclusion,
  window: Window,
): void {
  examineShownWindow(exam, window, record.stream_id, "/window");
  examineInclusion(exam, inclusion, window, "/inclusion");
  const isRecords = inclusion.seq_no === record.seq_no && inclusion.event_hash === record.event_hash;
  exam.expect("inclusion", isRecords, {
    code: "inclusion_invalid",
    path: "/inclusion/event_hash",
    message: `The inclusion proof is about another event than event ${record.seq_no} of the receipt.`,
    expected: record.event_hash,
    actual: inclusion.event_hash,
  });
  if (record.seq_no !== window.to_seq_no) return;
  exam.expectEqual("window_seal", "head_hash_mismatch", record.stream_head_hash, window.stream_head_hash, {
    path: "/window/stream_head_hash",
    message:
      `Window ${window.window_no} ends with event ${record.seq_no}, and states another stream head than its ` +
      `receipt.`,
    count: false,
  });
}

/** Checks that a window is a leaf of the checkpoint's tree, at the place of its number. */
export function examineCheckpointInclusion(
  exam: Examination,
  window: Window,
  checkpoint: Checkpoint,
  { window_no, window_count, path }: CheckpointInclusion,
  at: string,
): void {
  exam.looked("inclusion");
  const bound = window_no === window.window_no && window_count === checkpoint.window_count;
  exam.expect("inclusion", bound && isLeaf(exam, window, checkpoint, path), {
    code: "inclusion_invalid",
    path: `${at}/path`,
    message: bound
      ? `The path of window ${window_no} does not lead to the root of checkpoint ${checkpoint.checkpoint_no}.`
      : `The path is about window ${window_no} of ${window_count}; the window here is number ${window.window_no}, ` +
        `and the checkpoint covers ${checkpoint.window_count}.`,
  });
  examineListing(exam, window, checkpoint);
}

/** Checks the checkpoint's last window: it is the last one, and comes after the event's window. */
export function examineLastWindow(
  exam: Examination,
  { window: last, path }: LastWindow,
  window: Window,
  checkpoint: Checkpoint,
): void {
  examineShownWindow(exam, last, checkpoint.stream_id, "/last_window/window");
  const inclusion = { window_no: last.window_no, window_count: checkpoint.window_count, path };
  examineCheckpointInclusion(exam, last, checkpoint, inclusion, "/last_window");
  exam.expect("inclusion", last.window_no === checkpoint.window_count, {
    code: "inclusion_invalid",
    path: "/last_window/window/window_no",
    message:
      `The checkpoint's last window is number ${checkpoint.window_count}, and this one is number ` +
      `${last.window_no}.`,
    expected: `${checkpoint.window_count}`,
    actual: `${last.window_no}`,
  });
  // Every window between the two holds at least one event.
  const windowsBetween = last.window_no - window.window_no - 1;
  const eventsBetween = last.from_seq_no - window.to_seq_no - 1;
  exam.expect("window_seal", eventsBetween >= windowsBetween, {
    code: "sequence_broken",
    path: "/last_window/window/from_seq_no",
    message:
      `Window ${last.window_no} starts at event ${last.from_seq_no}, which leaves no room after window ` +
      `${window.window_no}.`,
  });
  exam.expect("window_seal", windowsBetween !== 0 || eventsBetween <= 0, {
    code: "range_incomplete",
    path: "/last_window/window/from_seq_no",
    message:
      `Window ${last.window_no} starts at event ${last.from_seq_no}, and the window before it ends at event ` +
      `${window.to_seq_no}.`,
  });
}

/** Checks that a checkpoint says the same of its last window as that window itself. */
export function examineCheckpointEnd(exam: Examination, checkpoint: Checkpoint, last: Window): void {
  for (const name of OF_LAST_WINDOW) {
    exam.expect("checkpoint_root", checkpoint[name] === last[name], {
      code: "checkpoint_window_mismatch",
      path: `/checkpoint/${name}`,
      message: `Checkpoint ${checkpoint.checkpoint_no} states another ${name} than its last window.`,
      expected: `${last[name]}`,
      actual: `${checkpoint[name]}`,
    });
  }
}

function examineShownWindow(exam: Examination, window: Window, streamId: string, path: string): void {
  expectStream(exam, "window_seal", window, streamId, `Window ${window.window_no}`, path);
  examineWindow(exam, window, path, "inclusion");
  examineWindowPlace(exam, "window_seal", window, path);
}

function isLeaf(exam: Examination, window: Window, checkpoint: Checkpoint, path: readonly HashHex[]): boolean {
  const { kernel } = exam;
  return kernel.verifyInclusion(
    kernel.leafHash(hexToBytes(windowHash(kernel, window))),
    window.window_no - 1,
    checkpoint.window_count,
    path.map(hexToBytes),
    hexToBytes(checkpoint.checkpoint_root),
  );
}

/** If the checkpoint lists the window, it must list this one. */
function examineListing(exam: Examination, window: Window, { checkpoint_no, window_roots }: Checkpoint): void {
  const index = window_roots.findIndex(({ window_no }) => window_no === window.window_no);
  const listed = window_roots[index];
  if (listed === undefined) return;
  const equal =
    listed.window_hash === windowHash(exam.kernel, window) &&
    listed.window_root === window.window_root &&
    listed.from_seq_no === window.from_seq_no &&
    listed.to_seq_no === window.to_seq_no;
  exam.expect("checkpoint_root", equal, {
    code: "checkpoint_window_mismatch",
    path: `/checkpoint/window_roots/${index}`,
    message: `Checkpoint ${checkpoint_no} lists another window ${window.window_no} than the one shown.`,
  });
}
