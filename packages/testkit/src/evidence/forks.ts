/**
 * A test service that tells two histories of one stream from event 5 on, and for each kind of fork evidence two of its
 * objects that contradict each other in that way. Deterministic.
 */
import {
  type Checkpoint,
  cosignatureLine,
  encodeHex,
  encodeNoteLine,
  type FindForkOptions,
  type ForkEvidence,
  type ForkKind,
  findFork,
  type HashHex,
  issueWitnessStatement,
  type Json,
  keyHint,
  pinKeys,
  portableReceiptOf,
  type ReceiptRecord,
  referenceKernel,
  type TrustPolicy,
  type Window,
} from "@svc/core";
import { anchorOf } from "./anchors.ts";
import { at, bundleOf, type Evidence, frontierOf, id, issueStream, ORIGIN, SERVICE, WITNESS } from "./service.ts";

const kernel = referenceKernel;
/** The name of the witness in its vkey. */
export const WITNESS_NAME = `${ORIGIN}/witness`;

/** The trust for verifying the evidence. */
export const FORK_TRUST: TrustPolicy = {
  ...pinKeys(kernel, [SERVICE.publicKeyHex]),
  witnesses: [{ name: WITNESS_NAME, public_key_hex: WITNESS.publicKeyHex }],
};

/** The names of the test evidence, and the keys to look for it with. */
export const NAMED: FindForkOptions = {
  fork_id: id("frk", 1),
  detected_at: at(2000),
  trust: FORK_TRUST,
  kernel,
};

/** Five windows of two events, with a checkpoint after each pair of windows. */
export const told: Evidence = await issueStream(10, { perWindow: 2, perCheckpoint: 2 });
/** Another history from event 5 on, of six windows that were closed when the first history's were. */
export const retold: Evidence = await issueStream(12, { perWindow: 2, perCheckpoint: 2, forkedAt: 5, sealedAfter: -2 });
/** Only the first four events, in windows and checkpoints made long after event 9 was received. */
const late: Evidence = await issueStream(4, { perWindow: 2, perCheckpoint: 2, sealedAfter: 106 });
/** The same events in windows of three. */
const regrouped: Evidence = await issueStream(10, { perWindow: 3, perCheckpoint: 2 });

/** Two objects that contradict each other, and the kind of evidence in them. */
export interface Contradiction {
  readonly name: string;
  readonly kind: ForkKind;
  readonly a: Json;
  readonly b: Json;
}

/** Returns event `seqNo` of a history. */
export function receipt({ records }: Evidence, seqNo: number): ReceiptRecord {
  return records[seqNo - 1] ?? fail(`event ${seqNo}`);
}

/** Returns window `windowNo` of a history, with its leaves. */
export function windowWithLeaves({ windows, records }: Evidence, windowNo: number): Window {
  const window = windows[windowNo - 1] ?? fail(`window ${windowNo}`);
  return { ...window, leaves: records.slice(window.from_seq_no - 1, window.to_seq_no).map((one) => one.event_hash) };
}

/** Returns checkpoint `checkpointNo` of a history, with its frontier. */
export function checkpointWithFrontier({ checkpoints, windows }: Evidence, checkpointNo: number): Checkpoint {
  const checkpoint = checkpoints[checkpointNo - 1] ?? fail(`checkpoint ${checkpointNo}`);
  const before = (checkpoint.window_roots[0]?.window_no ?? 1) - 1;
  return { ...checkpoint, frontier: frontierOf(windows.slice(0, before)).map((hash) => encodeHex(hash) as HashHex) };
}

/** Returns the note of a checkpoint with a cosignature by the witness. */
export async function cosignedNote(checkpoint: Checkpoint, witness = WITNESS): Promise<string> {
  const cosignedAt = Date.parse(at(200)) / 1000;
  const named = { witness_id: "managed", key_epoch: 1 };
  const { signature } = await issueWitnessStatement(kernel, witness, named, checkpoint, cosignedAt);
  return `${checkpoint.note}${encodeNoteLine(cosignatureLine(kernel, WITNESS_NAME, witness.publicKeyHex, cosignedAt, signature))}`;
}

/** Returns at least one contradiction for each kind, as auditors would meet them. */
export async function contradictions(): Promise<Contradiction[]> {
  const [toldSecond, retoldSecond] = [checkpointWithFrontier(told, 2), checkpointWithFrontier(retold, 2)];
  const bundles = [await bundleOf(told), await bundleOf(retold)] as const;
  const portable = portableReceiptOf(kernel, bundles[1], 5);
  const anchors = {
    told: await anchorOf(told.checkpoints.slice(0, 2), { state: "published" }),
    retold: await anchorOf(retold.checkpoints.slice(0, 2), { state: "published" }),
    retoldLater: await anchorOf(retold.checkpoints, { state: "published", epochNo: 4 }),
  };
  const list: readonly (readonly [string, ForkKind, unknown, unknown])[] = [
    ["two-receipts", "head", receipt(told, 6), receipt(retold, 6)],
    ["receipt-and-window", "head", receipt(told, 6), retold.windows[2]],
    ["window-and-checkpoint", "head", told.windows[3], retoldSecond],
    ["checkpoints-at-one-event", "head", toldSecond, retoldSecond],
    ["two-bundles", "head", ...bundles],
    ["receipts-in-a-row", "chain", receipt(told, 5), receipt(retold, 6)],
    [
      "stream-and-receipt",
      "chain",
      receipt(retold, 7),
      { stream_id: receipt(told, 1).stream_id, records: told.records.slice(0, 6) },
    ],
    ["receipt-and-leaves", "leaf", receipt(told, 5), windowWithLeaves(retold, 3)],
    ["other-tiling", "window", told.windows[1], regrouped.windows[1]],
    ["overlap", "window", told.windows[2], regrouped.windows[1]],
    ["same-number", "checkpoint", told.checkpoints[0], regrouped.checkpoints[0]],
    ["two-sizes", "checkpoint", toldSecond, portable],
    ["two-anchors", "epoch", anchors.told, anchors.retold],
    ["two-anchors-of-two-sizes", "epoch", anchors.told, anchors.retoldLater],
    ["two-notes", "note", toldSecond.note, retoldSecond.note],
    ["checkpoint-and-note", "note", toldSecond, retoldSecond.note],
    ["cosigned-notes", "witness", await cosignedNote(toldSecond), await cosignedNote(retoldSecond)],
    ["late-bundle", "omission", receipt(told, 9), await bundleOf(late)],
  ];
  return list.map(([name, kind, a, b]) => ({ name, kind, a: a as Json, b: b as Json }));
}

/** A contradiction with its evidence. */
export interface Fork extends Contradiction {
  readonly evidence: ForkEvidence;
}

/** Returns the evidence of each contradiction, of its kind. */
export async function forks(): Promise<Fork[]> {
  return (await contradictions()).map((one) => {
    const evidence = findFork(one.a, one.b, { ...NAMED, kinds: [one.kind] }) ?? fail(`evidence of ${one.name}`);
    return { ...one, evidence };
  });
}

/** The hint for the witness's key. */
export const WITNESS_HINT = keyHint(kernel, WITNESS.publicKeyHex);

function fail(what: string): never {
  throw new Error(`the test service has no ${what}`);
}
