/**
 * The examination of an epoch (protocol section 32): who sealed it, whether it starts where it must, and whether its
 * checkpoints, each checked as a checkpoint is, give its final state. It sizes nothing by a number in the epoch.
 */
import { encodeHex, hexToBytes } from "../../encoding/hex.ts";
import { ZERO_HASH } from "../../protocol.ts";
import type { Examination } from "../../report/examination.ts";
import type { ShapeFault } from "../../report/shape.ts";
import type { HashHex } from "../../schema/atoms.ts";
import {
  asCosigned,
  type Checkpoint,
  checkpointFaults,
  examineCheckpoint,
  examineListedWindows,
  pinnedWitnesses,
} from "../checkpoint.ts";
import { Cosignatures } from "../cosignatures.ts";
import type { ShownTree } from "../known-checkpoints.ts";
import { IVC_CONSTRUCTION, IVC_PROGRAM, type IvcEpoch, ivcEpochBody, MAX_IVC_STEPS } from "./schema.ts";
import { genesisState, type HashedCheckpoint, nextState } from "./state.ts";

/** The note of the check, whatever the epoch says of a review. */
export const IVC_NOTE = "recomputed by this verifier; not succinct, hides nothing, construction not reviewed";
const OWN_WORD = "its initial state is its own word: the epoch before is not here, or does not hold";

/** Returns the faults of an epoch that its schema cannot express. */
export function ivcEpochFaults(epoch: IvcEpoch): ShapeFault[] {
  const { construction, proof, checkpoints = [] } = epoch;
  const faults: ShapeFault[] = [];
  if (construction === IVC_CONSTRUCTION && proof !== null)
    faults.push({ path: "/proof", message: "An epoch that is recomputed has no proof." });
  checkpoints.forEach((checkpoint, index) => {
    for (const fault of checkpointFaults(checkpoint, `/checkpoints/${index}`)) faults.push(fault);
  });
  const [first] = checkpoints;
  if (first !== undefined && first.window_roots[0]?.window_no !== 1 && first.frontier === undefined) {
    const message = "Without the frontier before the first checkpoint no root can be recomputed.";
    faults.push({ code: "missing_member", path: "/checkpoints/0/frontier", message });
  }
  const windows = checkpoints.reduce((sum, { window_roots }) => sum + window_roots.length, 0);
  if ((first?.window_roots[0]?.window_no ?? 1) - 1 + windows > Number.MAX_SAFE_INTEGER)
    faults.push({ path: "/checkpoints", message: "No tree has room for that many windows." });
  return faults;
}

/** Examines an epoch. Returns the tree that its checkpoints show; null if they are not here or not all of its range. */
export function examineIvcEpoch(exam: Examination, epoch: IvcEpoch): ShownTree | null {
  const { ivc_epoch_id, stream_id, origin, checkpoints, created_at, seal } = epoch;
  const to = checkpoints?.at(-1)?.to_seq_no;
  exam.subject = { id: ivc_epoch_id, stream_id, ...(to === undefined ? {} : { to_seq_no: to }) };
  exam.origin = origin;
  exam.looked("ivc");
  exam.notChecked("witness", "an epoch raises no assurance, so cosignatures are checked and not counted");
  exam.expect("ivc", origin.endsWith(`/${stream_id}`), {
    code: "malformed",
    path: "/origin",
    message: "The origin does not end in / and the stream id.",
  });
  const isKnown = examineProgram(exam, epoch);
  exam.seal("ivc", "ivc-epoch", ivcEpochBody(epoch), seal, {
    path: "/seal",
    what: "the epoch",
    streamId: stream_id,
    ownTime: created_at,
  });
  if (!isKnown) return null;
  examineStart(exam, epoch);
  if (!examineRange(exam, epoch)) return null;
  if (checkpoints === undefined) {
    leaveOutSteps(exam);
    return null;
  }
  if (!examineNumbers(exam, epoch, checkpoints)) return null;
  const hashed = checkpoints.map((checkpoint) => asCosigned(exam.kernel, checkpoint));
  const tree = examineSteps(exam, epoch, checkpoints, hashed);
  examineFold(exam, epoch, hashed);
  return tree;
}

function examineProgram(exam: Examination, { program, construction, review }: IvcEpoch): boolean {
  const isKnown = exam.expect("ivc", program === IVC_PROGRAM, {
    code: "ivc_program_unknown",
    path: "/program",
    message: "This verifier does not know the program, so it cannot compute it again.",
    expected: IVC_PROGRAM,
    actual: program,
  });
  const isAdmitted = exam.expect("ivc", construction === IVC_CONSTRUCTION, {
    code: "ivc_construction_not_reviewed",
    path: "/construction",
    message:
      `No construction but recomputation is admitted; the epoch's own review (${review.state}) changes nothing in ` +
      `that.`,
    expected: IVC_CONSTRUCTION,
    actual: construction,
  });
  return isKnown && isAdmitted;
}

/** Epoch 1, checkpoint 1, no epoch before and the genesis state stand together. */
function examineStart(exam: Examination, epoch: IvcEpoch): void {
  const { ivc_epoch_no, from_checkpoint_no, previous_ivc_epoch_hash, initial_state, stream_id, origin } = epoch;
  const isFirst = ivc_epoch_no === 1;
  const startsAtOne = from_checkpoint_no === 1;
  const followsNone = previous_ivc_epoch_hash === ZERO_HASH;
  exam.expect("ivc", isFirst === startsAtOne && isFirst === followsNone, {
    code: "ivc_epoch_chain_broken",
    path: "/previous_ivc_epoch_hash",
    message: "Epoch 1, and only epoch 1, starts at checkpoint 1 and follows 64 zeros.",
  });
  // Each epoch before this one folds at least one checkpoint.
  exam.expect("ivc", from_checkpoint_no >= ivc_epoch_no, {
    code: "ivc_epoch_chain_broken",
    path: "/ivc_epoch_no",
    message: `There is no room for ${ivc_epoch_no - 1} epochs before checkpoint ${from_checkpoint_no}.`,
  });
  if (!isFirst) return;
  exam.expectEqual("ivc", "ivc_epoch_chain_broken", genesisState(exam.kernel, stream_id, origin), initial_state, {
    path: "/initial_state",
    message: "Epoch 1 does not start at the first state of its stream.",
    count: false,
  });
}

/** Checks the stated counts, before anything is done by them. */
function examineRange(exam: Examination, { step_count, from_checkpoint_no, to_checkpoint_no }: IvcEpoch): boolean {
  const covers = to_checkpoint_no - from_checkpoint_no + 1;
  return exam.expect("ivc", step_count === covers && covers >= 1 && covers <= MAX_IVC_STEPS, {
    code: "ivc_steps_incomplete",
    path: "/step_count",
    message: `An epoch folds 1 to ${MAX_IVC_STEPS} checkpoints, and counts each of its range once.`,
    expected: `${covers}`,
    actual: `${step_count}`,
  });
}

function leaveOutSteps(exam: Examination): void {
  const message = "The checkpoints of the epoch are not here, so nothing was recomputed.";
  exam.distrust({ code: "ivc_steps_absent", path: "", message }, "", "ivc");
  for (const check of ["checkpoint_root", "checkpoint_chain", "known_checkpoint"] as const)
    exam.notChecked(check, "no checkpoint here");
}

/** Checks that exactly the checkpoints of the range are here, in order. */
function examineNumbers(exam: Examination, epoch: IvcEpoch, checkpoints: readonly Checkpoint[]): boolean {
  const { step_count, from_checkpoint_no } = epoch;
  const wrong = checkpoints.findIndex(({ checkpoint_no }, index) => checkpoint_no !== from_checkpoint_no + index);
  const isComplete = exam.expect("ivc", checkpoints.length === step_count, {
    code: "ivc_steps_incomplete",
    path: "/checkpoints",
    message: `The epoch counts ${step_count} checkpoints, and ${checkpoints.length} are here.`,
    expected: `${step_count}`,
    actual: `${checkpoints.length}`,
  });
  if (!isComplete) return false;
  return exam.expect("ivc", wrong < 0, {
    code: "ivc_steps_incomplete",
    path: `/checkpoints/${wrong}/checkpoint_no`,
    message: "The checkpoints of the epoch are not those of its range, in order.",
    expected: `${from_checkpoint_no + wrong}`,
    actual: `${checkpoints[wrong]?.checkpoint_no}`,
  });
}

/** Examines each checkpoint, and how it follows the one before. Returns the tree that they show. */
function examineSteps(
  exam: Examination,
  epoch: IvcEpoch,
  checkpoints: readonly Checkpoint[],
  hashed: readonly HashedCheckpoint[],
): ShownTree {
  const { stream_id, origin } = epoch;
  const witnesses = pinnedWitnesses(exam);
  const cosigned = checkpoints.map((checkpoint, index) => {
    const path = `/checkpoints/${index}`;
    exam.looked("checkpoint_chain");
    exam.expectEqual("checkpoint_chain", "stream_mismatch", stream_id, checkpoint.stream_id, {
      path: `${path}/stream_id`,
      message: `Checkpoint ${checkpoint.checkpoint_no} is of another stream than the epoch.`,
      count: false,
    });
    exam.expectEqual("checkpoint_chain", "origin_changed", origin, checkpoint.origin, {
      path: `${path}/origin`,
      message: `Checkpoint ${checkpoint.checkpoint_no} has another origin than the epoch.`,
      count: false,
    });
    examineListedWindows(exam, checkpoint, path);
    const previous = hashed[index - 1];
    if (previous !== undefined) examineSuccession(exam, previous, checkpoint, path);
    const cosignatures = new Cosignatures(exam, hashed[index] as HashedCheckpoint, witnesses);
    examineCheckpoint(exam, checkpoint, cosignatures, path);
    return cosignatures;
  });
  const roots = examineRoots(exam, checkpoints);
  exam.settle();
  checkpoints.forEach((checkpoint, index) => {
    exam.addTimeProof((cosigned[index] as Cosignatures).earliestPinnedTime, checkpoint.to_seq_no);
  });
  return { streamId: stream_id, roots, newestSize: (checkpoints.at(-1) as Checkpoint).window_count };
}

/** Checks that a checkpoint follows the one before it. `path`: of the later one. */
export function examineSuccession(
  exam: Examination,
  previous: HashedCheckpoint,
  checkpoint: Checkpoint,
  path: string,
): void {
  const { checkpoint_no, previous_checkpoint_hash, policy_id, window_roots } = checkpoint;
  const { checkpoint_hash } = previous;
  exam.expectEqual("checkpoint_chain", "previous_checkpoint_mismatch", checkpoint_hash, previous_checkpoint_hash, {
    path: `${path}/previous_checkpoint_hash`,
    message: `Checkpoint ${checkpoint_no} does not follow checkpoint ${previous.checkpoint_no}, the one before it.`,
    count: false,
  });
  const [first] = window_roots;
  const goesOn = first?.window_no === previous.window_count + 1 && first.from_seq_no === previous.to_seq_no + 1;
  exam.expect("checkpoint_chain", goesOn, {
    code: "checkpoint_window_mismatch",
    path: `${path}/window_roots`,
    message: `Checkpoint ${checkpoint_no} does not go on where checkpoint ${previous.checkpoint_no} ends.`,
  });
  exam.expectEqual("checkpoint_chain", "policy_changed", previous.policy_id, policy_id, {
    path: `${path}/policy_id`,
    message: `The policy_id changes at checkpoint ${checkpoint_no}.`,
    count: false,
  });
}

/**
 * Recomputes every root from the frontier before the first checkpoint. A later checkpoint's own frontier must give its
 * root too.
 */
function examineRoots(exam: Examination, checkpoints: readonly Checkpoint[]): Map<number, HashHex> {
  const { kernel } = exam;
  const roots = new Map<number, HashHex>();
  const [first] = checkpoints;
  let size = (first?.window_roots[0]?.window_no ?? 1) - 1;
  let frontier = (first?.frontier ?? []).map(hexToBytes);
  if (size > 0) roots.set(size, encodeHex(kernel.rootFromFrontier(frontier)) as HashHex);
  checkpoints.forEach((checkpoint, index) => {
    const path = `/checkpoints/${index}`;
    const { checkpoint_no, checkpoint_root, window_roots } = checkpoint;
    const own = checkpoint.frontier?.join();
    exam.expect("checkpoint_root", own === undefined || own === frontier.map(encodeHex).join(), {
      code: "checkpoint_root_mismatch",
      path: `${path}/frontier`,
      message: `The frontier of checkpoint ${checkpoint_no} is not that of the windows before it.`,
    });
    for (const { window_hash } of window_roots) {
      frontier = kernel.appendToFrontier(size, frontier, [kernel.leafHash(hexToBytes(window_hash))]);
      size++;
      roots.set(size, encodeHex(kernel.rootFromFrontier(frontier)) as HashHex);
    }
    exam.expectEqual("checkpoint_root", "checkpoint_root_mismatch", checkpoint_root, roots.get(size) as HashHex, {
      path: `${path}/checkpoint_root`,
      message: `The windows up to checkpoint ${checkpoint_no} do not give its root.`,
      count: false,
    });
  });
  return roots;
}

function examineFold(exam: Examination, epoch: IvcEpoch, checkpoints: readonly HashedCheckpoint[]): void {
  const { ivc_epoch_no, initial_state, final_state } = epoch;
  exam.notChecked("ivc", ivc_epoch_no === 1 ? IVC_NOTE : `${IVC_NOTE}; ${OWN_WORD}`);
  const actual = checkpoints.reduce((state, checkpoint) => nextState(exam.kernel, state, checkpoint), initial_state);
  exam.expectEqual("ivc", "ivc_state_mismatch", final_state, actual, {
    path: "/final_state",
    message: "The checkpoints of the epoch do not lead from its initial state to its final state.",
    count: false,
  });
}
