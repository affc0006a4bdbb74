/**
 * A window: a contiguous range of events under one Merkle root (protocol section 8).
 */
import { encodeHex, hexToBytes } from "../encoding/hex.ts";
import type { JsonObject, Kernel } from "../kernel/kernel.ts";
import { digest } from "../protocol.ts";
import type { CheckId } from "../report/checks.ts";
import type { Examination } from "../report/examination.ts";
import type { ShapeFault } from "../report/shape.ts";
import { Closed, Hash, type HashHex, Ordinal, ServiceTime, StreamId, WindowId } from "../schema/atoms.ts";
import * as Type from "../schema/type.ts";
import { makeSeal, Seal, type Signer } from "../seal.ts";
import { examineInclusion, Inclusion, issueInclusion } from "./inclusion.ts";
import { headHash } from "./receipt.ts";

/** A window: consecutive events of one stream under one Merkle root (protocol section 8). */
export const Window = Closed(
  {
    window_id: WindowId,
    stream_id: StreamId,
    window_no: Ordinal,
    from_seq_no: Ordinal,
    to_seq_no: Ordinal,
    window_root: Hash,
    stream_head_hash: Hash,
    policy_digest: Hash,
    witness_policy_digest: Hash,
    closed_at: ServiceTime,
    seal: Seal,
    leaves: Type.Optional(Type.Array(Hash)),
    inclusions: Type.Optional(Type.Array(Inclusion)),
  },
  { $id: "window" },
);
export type Window = Type.Static<typeof Window>;

/** What a service knows of a window before it seals it. */
export interface WindowInput {
  readonly window_id: string;
  readonly stream_id: string;
  /** From 1. */
  readonly window_no: number;
  readonly from_seq_no: number;
  /** The event hashes of the range, in order; at least one. */
  readonly event_hashes: readonly HashHex[];
  readonly policy_digest: HashHex;
  readonly witness_policy_digest: HashHex;
  readonly closed_at: string;
}

/** The root over event hashes of 32 bytes, each hashed once more as an RFC 6962 leaf. */
export function windowRoot(kernel: Kernel, eventHashes: readonly Uint8Array[]): HashHex {
  return encodeHex(kernel.rootFromLeafHashes(kernel.leafHashes(eventHashes))) as HashHex;
}

/** What a window's seal covers and its hash is of. */
export function windowBody(window: Window): JsonObject {
  const { seal: _seal, leaves: _leaves, inclusions: _inclusions, ...body } = window;
  return body;
}

/** The window hash, which is a leaf of the checkpoint tree. */
export function windowHash(kernel: Kernel, window: Window): HashHex {
  return digest(kernel, "window", windowBody(window));
}

/** Closes a window over a range of events. */
export async function issueWindow(kernel: Kernel, signer: Signer, input: WindowInput): Promise<Window> {
  const { event_hashes, ...named } = input;
  const last = event_hashes.at(-1);
  if (last === undefined) throw new RangeError("a window holds at least one event");
  const to_seq_no = input.from_seq_no + event_hashes.length - 1;
  const body = {
    ...named,
    to_seq_no,
    window_root: windowRoot(kernel, event_hashes.map(hexToBytes)),
    stream_head_hash: headHash(kernel, input.stream_id, to_seq_no, last),
  };
  return { ...body, seal: await makeSeal(kernel, "window", body, signer) };
}

/** The window with its leaves: the event hashes of its range, all of them, in order. RangeError for another number of them. */
export function showLeaves(window: Window, eventHashes: readonly HashHex[]): Window {
  expectAllLeaves(window, eventHashes);
  return { ...window, leaves: [...eventHashes] };
}

/** The window with inclusion proofs of these events; `eventHashes` are all of the window's, in order. RangeError for an event outside it. */
export function showInclusions(
  kernel: Kernel,
  window: Window,
  eventHashes: readonly HashHex[],
  seqNos: readonly number[],
): Window {
  expectAllLeaves(window, eventHashes);
  return { ...window, inclusions: seqNos.map((seqNo) => issueInclusion(kernel, window, eventHashes, seqNo)) };
}

function expectAllLeaves({ window_id, from_seq_no, to_seq_no }: Window, eventHashes: readonly HashHex[]): void {
  const size = to_seq_no - from_seq_no + 1;
  if (eventHashes.length !== size)
    throw new RangeError(
      `window ${window_id} covers ${size} events, and ${eventHashes.length} event hashes were given`,
    );
}

/** What a window breaks that its schema cannot say. */
export function windowFaults(window: Window, path: string): ShapeFault[] {
  if (window.from_seq_no <= window.to_seq_no) return [];
  return [{ path: `${path}/to_seq_no`, message: "The window ends before it starts." }];
}

/** Examines a lone window. */
export function examineLoneWindow(exam: Examination, window: Window): void {
  const { window_id, stream_id, from_seq_no, to_seq_no } = window;
  exam.subject = { id: window_id, stream_id, from_seq_no, to_seq_no };
  if (window.leaves === undefined) exam.leaveOut("window_root", "the window carries no leaves");
  if (window.inclusions === undefined) exam.leaveOut("inclusion", "the window carries no inclusion proofs");
  examineWindow(exam, window, "");
  examineWindowPlace(exam, "window_root", window, "");
}

/** Checks a window's number against its range: window 1 starts at event 1, and every window before it holds at least one event. */
export function examineWindowPlace(exam: Examination, check: CheckId, window: Window, path: string): void {
  const { window_no, from_seq_no } = window;
  exam.expect(check, window_no > 1 || from_seq_no === 1, {
    code: "range_incomplete",
    path: `${path}/from_seq_no`,
    message: `Window 1 starts at event ${from_seq_no}: what comes before it is missing.`,
    expected: "1",
    actual: `${from_seq_no}`,
  });
  exam.expect(check, from_seq_no >= window_no, {
    code: "sequence_broken",
    path: `${path}/from_seq_no`,
    message: `Window ${window_no} starts at event ${from_seq_no}, where an earlier window must lie.`,
    expected: `at least ${window_no}`,
    actual: `${from_seq_no}`,
  });
}

/** Checks a window's seal, and its leaves (in the check `ofLeaves`) and inclusion proofs where it carries them. */
export function examineWindow(
  exam: Examination,
  window: Window,
  path: string,
  ofLeaves: CheckId = "window_root",
): void {
  exam.seal("window_seal", "window", windowBody(window), window.seal, {
    path: `${path}/seal`,
    what: `window ${window.window_no}`,
    streamId: window.stream_id,
    ownTime: window.closed_at,
    eventNo: window.to_seq_no,
  });
  if (window.leaves !== undefined)
    examineLeaves(exam, window, window.leaves.map(hexToBytes), `${path}/leaves`, ofLeaves);
  window.inclusions?.forEach((inclusion, index) => {
    examineInclusion(exam, inclusion, window, `${path}/inclusions/${index}`);
  });
}

/** Checks that these event hashes are the window's: their number, their root, and the head after the last. */
export function examineLeaves(
  exam: Examination,
  window: Window,
  eventHashes: readonly Uint8Array[],
  path: string,
  check: CheckId = "window_root",
): void {
  const { window_no, stream_id, from_seq_no, to_seq_no } = window;
  exam.looked(check);
  const size = to_seq_no - from_seq_no + 1;
  const last = eventHashes.at(-1);
  if (last === undefined || eventHashes.length !== size) {
    exam.reject(check, {
      code: "window_root_mismatch",
      path,
      message: `Window ${window_no} covers ${size} events, and ${eventHashes.length} are there.`,
      expected: `${size}`,
      actual: `${eventHashes.length}`,
    });
    return;
  }
  exam.expectEqual(check, "window_root_mismatch", window.window_root, windowRoot(exam.kernel, eventHashes), {
    path: `${path}`,
    message: `The events of window ${window_no} do not give its Merkle root.`,
    count: false,
  });
  const head = headHash(exam.kernel, stream_id, to_seq_no, encodeHex(last) as HashHex);
  exam.expectEqual(check, "head_hash_mismatch", window.stream_head_hash, head, {
    path,
    message: `The stream head that window ${window_no} states is not that of its last event.`,
    count: false,
  });
}
