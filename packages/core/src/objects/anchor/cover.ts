/**
 * Anchors beside checkpoints, in a bundle or a portable receipt (protocol sections 12 and 14). Each anchor covers a
 * checkpoint beside it, and together they say something of the newest one.
 */
import type { Examination } from "../../report/examination.ts";
import type { HashHex } from "../../schema/atoms.ts";
import { type ExaminedAnchor, provenTime } from "./examine.ts";

/** The members of a checkpoint that an anchor can cover. */
export interface CoveredCheckpoint {
  readonly checkpoint_id: string;
  readonly checkpoint_hash: HashHex;
  /** The stream's origin. */
  readonly origin: string;
  readonly stream_id: string;
  readonly to_seq_no: number;
}

/** An anchor, and those of the checkpoints beside it that it covers. */
export interface CoveringAnchor extends ExaminedAnchor {
  readonly covered: readonly CoveredCheckpoint[];
}

/** The checkpoints beside anchors, found by either of their names. */
export interface Coverable {
  readonly byId: ReadonlyMap<string, CoveredCheckpoint>;
  readonly byHash: ReadonlyMap<HashHex, CoveredCheckpoint>;
}

/** Indexes checkpoints once for all the anchors beside them. */
export function coverable(checkpoints: readonly CoveredCheckpoint[]): Coverable {
  return {
    byId: new Map(checkpoints.map((checkpoint) => [checkpoint.checkpoint_id, checkpoint])),
    byHash: new Map(checkpoints.map((checkpoint) => [checkpoint.checkpoint_hash, checkpoint])),
  };
}

/**
 * Finds the checkpoints that an anchor covers: members name them by id and hash, and the log is the log of their
 * service. If it covers no checkpoint, or if a member names two of them, that is anchor_does_not_bind.
 */
export function examineCover(exam: Examination, examined: ExaminedAnchor, { byId, byHash }: Coverable): CoveringAnchor {
  const { anchor, path } = examined;
  const covered = new Set<CoveredCheckpoint>();
  anchor.members.forEach(({ checkpoint_id, checkpoint_hash }, index) => {
    const named = byId.get(checkpoint_id);
    const hashed = byHash.get(checkpoint_hash);
    const isOne = exam.expect("anchor", named === hashed, {
      code: "anchor_does_not_bind",
      path: `${path}/members/${index}/${named === undefined ? "checkpoint_id" : "checkpoint_hash"}`,
      message: `A member of epoch ${anchor.epoch_no} has the id of one checkpoint and the hash of another.`,
    });
    if (isOne && named !== undefined) covered.add(named);
  });
  const foreign = [...covered].find(({ origin, stream_id }) => origin !== `${anchor.origin}/${stream_id}`);
  exam.expect("anchor", foreign === undefined, {
    code: "anchor_does_not_bind",
    path: `${path}/origin`,
    message: `${foreign?.checkpoint_id} is of another service than the log of epoch ${anchor.epoch_no}.`,
    expected: `${foreign?.origin}`,
    actual: `${anchor.origin}/${foreign?.stream_id}`,
  });
  exam.expect("anchor", covered.size > 0, {
    code: "anchor_does_not_bind",
    path: `${path}/members`,
    message: `Epoch ${anchor.epoch_no} covers no checkpoint beside it.`,
  });
  return { ...examined, covered: [...covered] };
}

/**
 * Notes what anchors show: the times of the objects that they cover and their own, and the assurance by those in
 * `count`, which cover the newest checkpoint. It notes nothing if one of them does not hold. Call it after the
 * signatures are settled.
 */
export function settleAnchors(
  exam: Examination,
  anchors: readonly CoveringAnchor[],
  count: readonly ExaminedAnchor[],
): void {
  if (!exam.held("anchor", "note")) return;
  for (const anchor of anchors) {
    const time = provenTime(anchor);
    exam.addSealTimeProof(time, `${anchor.path}/seal`);
    const last = anchor.covered.reduce((no, { to_seq_no }) => Math.max(no, to_seq_no), 0);
    exam.addTimeProof(time, last);
  }
  for (const anchor of count) raiseAssurance(exam, anchor);
  const note = notesOf(anchors);
  if (note !== "") exam.notChecked("anchor", note);
}

const ANCHORED = ["none", "pending", "unpinned", "pinned"] as const;

/** Assurance is that of the best of several anchors. */
function raiseAssurance(exam: Examination, { state, block, cosigners }: ExaminedAnchor): void {
  if (cosigners.earliestPinnedTime !== null) exam.published = "witnessed";
  else if (exam.published === "none") exam.published = "included";
  const reached = block !== null ? (block.isPinned ? "pinned" : "unpinned") : state === "pending" ? "pending" : "none";
  if (ANCHORED.indexOf(reached) > ANCHORED.indexOf(exam.anchored)) exam.anchored = reached;
}

/** Returns in words what was not checked of the anchors. */
function notesOf(anchors: readonly ExaminedAnchor[]): string {
  const mined = anchors.flatMap(({ block }) => block ?? []);
  const counts: [number, string][] = [
    [mined.filter(({ isPinned }) => !isPinned).length, "in a block that you do not pin, so its time is a claim"],
    [
      mined.filter(({ isCodePinned }) => !isCodePinned).length,
      "in a contract whose code you do not pin, so not shown to be write-once",
    ],
    [anchors.filter(({ state }) => state === "pending").length, "sent and not yet mined"],
    [anchors.filter(({ state }) => state === "published").length, "published in the service log only"],
  ];
  return counts
    .filter(([count]) => count > 0)
    .map(([count, text]) => `${count} ${text}`)
    .join("; ");
}
