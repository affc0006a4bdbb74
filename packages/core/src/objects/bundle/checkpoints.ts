/** Checks how the checkpoints of a bundle fit each other, its windows and its range (protocol sections 9 and 14). */
import { encodeHex, hexToBytes } from "../../encoding/hex.ts";
import type { Examination } from "../../report/examination.ts";
import { type Checkpoint, checkpointHash } from "../checkpoint.ts";
import { recomputedRoots } from "../checkpoint-roots.ts";
import { type Window, windowHash } from "../window.ts";
import type { Manifest } from "./schema.ts";

/**
 * Checks that a checkpoint lists the windows that the bundle shows, and says the same of the last one as that window
 * itself.
 */
export function examineCheckpointWindows(
  exam: Examination,
  checkpoint: Checkpoint,
  manifest: Manifest,
  windows: readonly Window[],
  path: string,
): void {
  const { checkpoint_no, window_count, window_roots } = checkpoint;
  const first = manifest.prior_windows.window_count + 1;
  window_roots.forEach((listed, index) => {
    const shown = windows[listed.window_no - first];
    // Windows before the bundle's first are not shown; the frontier stands for them.
    if (shown === undefined) return;
    const equal =
      listed.window_no === shown.window_no &&
      listed.window_hash === windowHash(exam.kernel, shown) &&
      listed.window_root === shown.window_root &&
      listed.from_seq_no === shown.from_seq_no &&
      listed.to_seq_no === shown.to_seq_no;
    exam.expect("checkpoint_root", equal, {
      code: "checkpoint_window_mismatch",
      path: `${path}/window_roots/${index}`,
      message: `Checkpoint ${checkpoint_no} lists another window ${listed.window_no} than the one shown.`,
    });
  });
  const last = windows[window_count - first];
  if (last !== undefined) {
    for (const name of ["to_seq_no", "stream_head_hash", "policy_digest", "witness_policy_digest"] as const) {
      exam.expect("checkpoint_root", checkpoint[name] === last[name], {
        code: "checkpoint_window_mismatch",
        path: `${path}/${name}`,
        message: `Checkpoint ${checkpoint_no} states another ${name} than its last window.`,
        expected: `${last[name]}`,
        actual: `${checkpoint[name]}`,
      });
    }
  }
  if (checkpoint.frontier === undefined) return;
  const own = recomputedRoots(exam.kernel, checkpoint)?.get(window_count) ?? "";
  exam.expectEqual("checkpoint_root", "checkpoint_root_mismatch", checkpoint.checkpoint_root, own, {
    path: `${path}/frontier`,
    message: `The frontier of checkpoint ${checkpoint_no} does not lead to its root.`,
    count: false,
  });
}

/**
 * Checks that every checkpoint of the range is there, each follows the one before, and the last one covers the range's
 * end.
 */
export function examineCheckpointChain(
  exam: Examination,
  manifest: Manifest,
  windows: readonly Window[],
  checkpoints: readonly Checkpoint[],
): void {
  const check = "checkpoint_chain";
  checkpoints.forEach((checkpoint, index) => {
    const path = `/artifacts/checkpoints.json/${index}`;
    const { checkpoint_no } = checkpoint;
    exam.looked(check);
    exam.expect(check, checkpoint.stream_id === manifest.stream_id, {
      code: "stream_mismatch",
      path: `${path}/stream_id`,
      message: `Checkpoint ${checkpoint_no} is of another stream.`,
      expected: manifest.stream_id,
      actual: checkpoint.stream_id,
    });
    const firstListed = checkpoint.window_roots[0]?.window_no ?? 0;
    const previous = checkpoints[index - 1];
    if (previous === undefined) {
      examineFirstCheckpoint(exam, checkpoint, manifest, path);
      return;
    }
    exam.expectEqual(check, "origin_changed", previous.origin, checkpoint.origin, {
      path: `${path}/origin`,
      message: `The origin changes at checkpoint ${checkpoint_no}.`,
      count: false,
    });
    const follows =
      checkpoint_no === previous.checkpoint_no + 1 &&
      checkpoint.previous_checkpoint_hash === checkpointHash(exam.kernel, previous);
    exam.expect(check, follows, {
      code: "previous_checkpoint_mismatch",
      path: `${path}/previous_checkpoint_hash`,
      message:
        `Checkpoint ${checkpoint_no} does not follow checkpoint ` + `${previous.checkpoint_no}, the one before it.`,
    });
    exam.expect(check, firstListed === previous.window_count + 1, {
      code: "checkpoint_window_mismatch",
      path: `${path}/window_roots`,
      message: `Checkpoint ${checkpoint_no} does not go on where checkpoint ${previous.checkpoint_no} ends.`,
    });
  });
  const newest = checkpoints.at(-1);
  const lastWindowNo = windows.at(-1)?.window_no;
  exam.expect(check, newest?.to_seq_no === manifest.to_seq_no && newest.window_count === lastWindowNo, {
    code: "checkpoint_stale",
    path: `/artifacts/checkpoints.json/${Math.max(0, checkpoints.length - 1)}`,
    message:
      newest === undefined
        ? "No checkpoint covers the range."
        : `The newest checkpoint ends at event ${newest.to_seq_no}, window ${newest.window_count}; the range ends ` +
          `at event ${manifest.to_seq_no}, window ${lastWindowNo ?? "none"}.`,
  });
}

/** The first checkpoint covers the bundle's first window: nothing would check one before the range. */
function examineFirstCheckpoint(exam: Examination, checkpoint: Checkpoint, manifest: Manifest, path: string): void {
  const firstWindowNo = manifest.prior_windows.window_count + 1;
  const firstListed = checkpoint.window_roots[0]?.window_no ?? 0;
  exam.expect("checkpoint_chain", firstListed <= firstWindowNo, {
    code: "range_incomplete",
    path,
    message: `The checkpoint over window ${firstWindowNo} is missing.`,
  });
  exam.expect("checkpoint_chain", checkpoint.window_count >= firstWindowNo, {
    code: "checkpoint_window_mismatch",
    path,
    message:
      `Checkpoint ${checkpoint.checkpoint_no} covers no window of the bundle, which starts at window ` +
      `${firstWindowNo}.`,
  });
  examinePriorWindows(exam, checkpoint, manifest, path);
}

/**
 * Checks windows that the first checkpoint lists before the bundle's first against the frontier, if its subtrees lie in
 * them.
 */
function examinePriorWindows(exam: Examination, checkpoint: Checkpoint, manifest: Manifest, path: string): void {
  const { kernel } = exam;
  const { window_count, frontier } = manifest.prior_windows;
  const listedFrom = (checkpoint.window_roots[0]?.window_no ?? 1) - 1;
  let start = 0;
  const holds = frontier.map((expected) => {
    let size = 1;
    while (size * 2 <= window_count - start) size *= 2;
    const at = start - listedFrom;
    start += size;
    const listed = at < 0 ? [] : checkpoint.window_roots.slice(at, at + size);
    if (listed.length < size) return true;
    const leaves = listed.map((window) => kernel.leafHash(hexToBytes(window.window_hash)));
    return encodeHex(kernel.rootFromLeafHashes(leaves)) === expected;
  });
  exam.expect("checkpoint_chain", !holds.includes(false), {
    code: "checkpoint_root_mismatch",
    path: `${path}/window_roots`,
    message: `Checkpoint ${checkpoint.checkpoint_no} lists other windows before the bundle than the frontier holds.`,
  });
}
