/**
 * Consistency evidence: the later of two checkpoints extends the earlier (protocol section 9, RFC 9162 section 2.1.4).
 */
import { encodeHex, hexToBytes } from "../encoding/hex.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { Examination } from "../report/examination.ts";
import { Closed, Hash, type HashHex, StreamId } from "../schema/atoms.ts";
import * as Type from "../schema/type.ts";
import {
  asCosigned,
  Checkpoint,
  checkpointHash,
  examineCheckpoint,
  examineListedWindows,
  pinnedWitnesses,
} from "./checkpoint.ts";
import { examineRoot } from "./checkpoint-roots.ts";
import { Cosignatures } from "./cosignatures.ts";
import { KeyEndorsements, KeyHints } from "./key-endorsement.ts";
import { examineQuorum } from "./quorum.ts";

/**
 * Proof that a checkpoint extends an earlier one (protocol section 9). As JSON, shortened:
 *
 * ```json
 * {"stream_id":"str_01k3…","from_checkpoint":{},"to_checkpoint":{},"consistency_path":["7b2d93…"]}
 * ```
 */
export const Consistency = Closed(
  {
    stream_id: StreamId,
    from_checkpoint: Checkpoint,
    to_checkpoint: Checkpoint,
    consistency_path: Type.Array(Hash),
    key_hints: Type.Optional(KeyHints),
    key_endorsements: Type.Optional(KeyEndorsements),
  },
  { $id: "consistency" },
);
export type Consistency = Type.Static<typeof Consistency>;

/**
 * Proves that a checkpoint extends an earlier one (protocol section 9, RFC 9162 section 2.1.4.1). `from`, `to`:
 * checkpoints of one stream, the earlier one first. `windowHashes`: all window hashes up to `to`, in order, 64
 * lowercase hex characters each; more are ignored. Returns the evidence, without keys. Throws RangeError if there are
 * too few hashes, or if `from` covers more windows than `to`. It does not check that the hashes give the roots of the
 * checkpoints: `verify` does.
 *
 * @example
 * const next = { ...window, window_no: 2 };
 * const later = { ...checkpoint, window_count: 2 };
 * const hashes = [window, next].map((each) => windowHash(kernel, each));
 * console.log(issueConsistency(kernel, checkpoint, later, hashes).consistency_path.length); // 1
 */
export function issueConsistency(
  kernel: Kernel,
  from: Checkpoint,
  to: Checkpoint,
  windowHashes: readonly HashHex[],
): Consistency {
  if (windowHashes.length < to.window_count) throw new RangeError(`checkpoint ${to.checkpoint_id} covers more windows`);
  const leaves = windowHashes.slice(0, to.window_count).map((hash) => kernel.leafHash(hexToBytes(hash)));
  const path = kernel.proveConsistency(leaves, from.window_count);
  return {
    stream_id: to.stream_id,
    from_checkpoint: from,
    to_checkpoint: to,
    consistency_path: path.map((hash) => encodeHex(hash) as HashHex),
  };
}

/** Examines consistency evidence: both checkpoints, that they are in order, and the proof between their roots. */
export function examineConsistency(exam: Examination, evidence: Consistency): void {
  const { stream_id, from_checkpoint: from, to_checkpoint: to } = evidence;
  exam.subject = { id: null, stream_id, to_seq_no: to.to_seq_no };
  exam.origin = to.origin;
  for (const [name, checkpoint] of [["from_checkpoint", from] as const, ["to_checkpoint", to] as const]) {
    exam.expectEqual("checkpoint_chain", "stream_mismatch", stream_id, checkpoint.stream_id, {
      path: `/${name}/stream_id`,
      message: "The evidence has a checkpoint of another stream.",
    });
    examineListedWindows(exam, checkpoint, `/${name}`);
    examineRoot(exam, checkpoint, `/${name}`);
  }
  examineSuccession(exam, from, to);
  exam.expectEqual("checkpoint_chain", "origin_changed", from.origin, to.origin, {
    path: "/to_checkpoint/origin",
    message: "The origin changes between the two checkpoints.",
  });
  const witnesses = pinnedWitnesses(exam);
  const earlier = new Cosignatures(exam, asCosigned(exam.kernel, from), witnesses);
  const later = new Cosignatures(exam, asCosigned(exam.kernel, to), witnesses);
  examineCheckpoint(exam, from, earlier, "/from_checkpoint");
  examineCheckpoint(exam, to, later, "/to_checkpoint");
  if (to.checkpoint_no === from.checkpoint_no + 1) {
    const previous = checkpointHash(exam.kernel, from);
    exam.expectEqual("checkpoint_chain", "previous_checkpoint_mismatch", to.previous_checkpoint_hash, previous, {
      path: "/to_checkpoint/previous_checkpoint_hash",
      message: "The later checkpoint does not follow the earlier one, whose number is the one before.",
    });
  }
  examineProof(exam, evidence);
  exam.settle();
  exam.addTimeProof(earlier.earliestPinnedTime, from.to_seq_no);
  exam.addTimeProof(later.earliestPinnedTime, to.to_seq_no);
  examineQuorum(exam, later, null, "/to_checkpoint/note");
}

/**
 * Checks the members of two checkpoints of one stream against each other, without any proof (protocol sections 6 and
 * 9).
 */
function examineSuccession(exam: Examination, from: Checkpoint, to: Checkpoint): void {
  exam.expectEqual("checkpoint_chain", "policy_changed", from.policy_id, to.policy_id, {
    path: "/to_checkpoint/policy_id",
    message: "The policy_id changes between the two checkpoints.",
    count: false,
  });
  const [first] = to.window_roots;
  const isNext = to.checkpoint_no === from.checkpoint_no + 1;
  const goesOn = first?.window_no === from.window_count + 1 && first.from_seq_no === from.to_seq_no + 1;
  const liesAfter = (first?.window_no ?? 0) > from.window_count && (first?.from_seq_no ?? 0) > from.to_seq_no;
  exam.expect("checkpoint_chain", isNext ? goesOn : liesAfter, {
    code: "checkpoint_window_mismatch",
    path: "/to_checkpoint/window_roots",
    message: "The later checkpoint does not list the windows that come after the earlier one.",
  });
}

function examineProof(exam: Examination, evidence: Consistency): void {
  const { from_checkpoint: from, to_checkpoint: to, consistency_path } = evidence;
  exam.looked("consistency");
  const checkpoints = to.checkpoint_no - from.checkpoint_no;
  const windows = to.window_count - from.window_count;
  // A checkpoint covers at least one window, and a window at least one event.
  const rising = checkpoints > 0 && windows >= checkpoints && to.to_seq_no - from.to_seq_no >= windows;
  exam.expect("consistency", rising, {
    code: "consistency_invalid",
    path: "/to_checkpoint",
    message: "The second checkpoint is not later than the first in number, windows and events.",
  });
  const holds = exam.kernel.verifyConsistency(
    from.window_count,
    hexToBytes(from.checkpoint_root),
    to.window_count,
    hexToBytes(to.checkpoint_root),
    consistency_path.map(hexToBytes),
  );
  exam.expect("consistency", holds, {
    code: "consistency_invalid",
    path: "/consistency_path",
    message: "The proof does not lead from the earlier root to the later one.",
  });
}
