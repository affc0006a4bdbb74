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

/**
 * A window: consecutive events of one stream under one Merkle root (protocol section 8). As JSON, shortened:
 *
 * ```json
 * {"window_id":"win_01k3…","stream_id":"str_01k3…","window_no":2,"from_seq_no":4,"to_seq_no":6,
 *  "window_root":"fbe42b…","stream_head_hash":"297335…","policy_digest":"4f87c9…","witness_policy_digest":"923df9…",
 *  "closed_at":"2026-03-01T00:00:11.000Z","seal":{}}
 * ```
 */
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

/** The input of a window: everything that a service knows before it seals it. */
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

/**
 * Returns the root of a window over its events (protocol section 8), 64 lowercase hex characters. `eventHashes`: 32
 * bytes each, in order, at least one; each is hashed once more as an RFC 6962 leaf. Throws RangeError for none.
 *
 * @example
 * const eventHashes = records.map(({ event_hash }) => hexToBytes(event_hash));
 * console.log(windowRoot(kernel, eventHashes) === window.window_root); // true
 */
export function windowRoot(kernel: Kernel, eventHashes: readonly Uint8Array[]): HashHex {
  return encodeHex(kernel.rootFromLeafHashes(kernel.leafHashes(eventHashes))) as HashHex;
}

/** Returns the members that a window's seal and its hash cover. */
export function windowBody(window: Window): JsonObject {
  const { seal: _seal, leaves: _leaves, inclusions: _inclusions, ...body } = window;
  return body;
}

/**
 * Returns the window hash (protocol section 8), 64 lowercase hex characters; it is a leaf of the checkpoint tree.
 * `window`: its seal, leaves and inclusions are not part of the hash. It checks nothing.
 *
 * @example
 * console.log(checkpoint.window_roots[0]?.window_hash === windowHash(kernel, window)); // true
 */
export function windowHash(kernel: Kernel, window: Window): HashHex {
  return digest(kernel, "window", windowBody(window));
}

/**
 * Closes a window over a range of events (protocol section 8). `signer`: the service's key. `input`: the event hashes
 * of the range, in order, and the members that the service chooses; `closed_at` is YYYY-MM-DDTHH:MM:SS.mmmZ. Resolves
 * to the window, without leaves. Rejects with RangeError for no event, and with TypeError for a hash that is not hex.
 * It checks nothing else.
 *
 * @example
 * const closed = await issueWindow(kernel, signer, {
 *   window_id: "win_01k3zjv5c7m5n0rhd0sxkqgx2t",
 *   stream_id: receipt.stream_id,
 *   window_no: 1,
 *   from_seq_no: 1,
 *   event_hashes: records.map(({ event_hash }) => event_hash),
 *   policy_digest: window.policy_digest,
 *   witness_policy_digest: window.witness_policy_digest,
 *   closed_at: "2026-03-01T08:30:10.000Z",
 * });
 * console.log(closed.window_root === window.window_root); // true
 */
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

/**
 * Returns a window with its leaves (protocol section 8). `eventHashes`: those of all events of the window, in order, 64
 * lowercase hex characters each. Throws RangeError for another number of them. It does not check that they give the
 * window's root: `verify` does.
 *
 * @example
 * const eventHashes = records.map(({ event_hash }) => event_hash);
 * console.log(showLeaves(window, eventHashes).leaves?.length); // 3
 */
export function showLeaves(window: Window, eventHashes: readonly HashHex[]): Window {
  expectAllLeaves(window, eventHashes);
  return { ...window, leaves: [...eventHashes] };
}

/**
 * Returns a window with inclusion proofs of some events (protocol section 8). `eventHashes`: those of all events of the
 * window, in order, 64 lowercase hex characters each. `seqNos`: the events to prove. Throws RangeError for another
 * number of hashes, and for an event outside the window. It does not check that the hashes give the window's root:
 * `verify` does.
 *
 * @example
 * const eventHashes = records.map(({ event_hash }) => event_hash);
 * const shown = showInclusions(kernel, window, eventHashes, [1, 3]);
 * console.log(verify(kernel.canonicalize(shown), { trust }).verdict); // verified
 */
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

/** Returns the faults of a window that its schema cannot express. */
export function windowFaults(window: Window, path: string): ShapeFault[] {
  if (window.from_seq_no <= window.to_seq_no) return [];
  return [{ path: `${path}/to_seq_no`, message: "The window ends before it starts." }];
}

/** Examines a standalone window. */
export function examineStandaloneWindow(exam: Examination, window: Window): void {
  const { window_id, stream_id, from_seq_no, to_seq_no } = window;
  exam.subject = { id: window_id, stream_id, from_seq_no, to_seq_no };
  if (window.leaves === undefined) exam.notChecked("window_root", "the window carries no leaves");
  if (window.inclusions === undefined) exam.notChecked("inclusion", "the window carries no inclusion proofs");
  examineWindow(exam, window, "");
  examineWindowPlace(exam, "window_root", window, "");
}

/**
 * Checks a window's number against its range: window 1 starts at event 1, and every window before it holds at least one
 * event.
 */
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

/**
 * Checks a window's seal. If the window carries them, checks its leaves (in the check `ofLeaves`) and inclusion proofs.
 */
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
