/**
 * An inclusion: one event is a leaf of a window's tree (protocol section 8). Nothing in it is signed, so alone it is at
 * best untrusted; inside a window it is bound to the window's root, id and size.
 */

import { encodeHex, hexToBytes } from "../encoding/hex.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { ASK_WINDOW } from "../own-actions.ts";
import type { Examination } from "../report/examination.ts";
import { Closed, Count, Hash, type HashHex, Ordinal, WindowId } from "../schema/atoms.ts";
import * as Type from "../schema/type.ts";

/**
 * Proof that an event is in a window (protocol section 8). As JSON, shortened:
 *
 * ```json
 * {"window_id":"win_01k3…","seq_no":4,"event_hash":"9f6600…","leaf_hash":"c0bfb2…","leaf_index":0,"tree_size":3,
 *  "inclusion_path":["36d1dd…"],"window_root":"fbe42b…"}
 * ```
 */
export const Inclusion = Closed(
  {
    window_id: WindowId,
    seq_no: Ordinal,
    event_hash: Hash,
    leaf_hash: Hash,
    leaf_index: Count,
    tree_size: Ordinal,
    inclusion_path: Type.Array(Hash),
    window_root: Hash,
  },
  { $id: "inclusion" },
);
export type Inclusion = Type.Static<typeof Inclusion>;

/** The members of a window that an inclusion is bound to. */
export interface IncludingWindow {
  readonly window_id: string;
  readonly from_seq_no: number;
  readonly to_seq_no: number;
  readonly window_root: HashHex;
}

/**
 * Proves that an event is in a window (protocol section 8, RFC 9162 section 2.1.3.1). `eventHashes`: those of all
 * events of the window, in order, 64 lowercase hex characters each. `seqNo`: of the event. Throws RangeError for an
 * event outside the window. It does not check that the hashes give the window's root: `verify` does.
 *
 * @example
 * const eventHashes = records.map(({ event_hash }) => event_hash);
 * const inclusion = issueInclusion(kernel, window, eventHashes, 2);
 * console.log(inclusion.leaf_index, inclusion.tree_size); // 1 3
 */
export function issueInclusion(
  kernel: Kernel,
  window: IncludingWindow,
  eventHashes: readonly HashHex[],
  seqNo: number,
): Inclusion {
  const leafIndex = seqNo - window.from_seq_no;
  const event_hash = eventHashes[leafIndex];
  if (event_hash === undefined) throw new RangeError(`event ${seqNo} is not in window ${window.window_id}`);
  const leaves = eventHashes.map((hash) => kernel.leafHash(hexToBytes(hash)));
  return {
    window_id: window.window_id,
    seq_no: seqNo,
    event_hash,
    leaf_hash: encodeHex(kernel.leafHash(hexToBytes(event_hash))) as HashHex,
    leaf_index: leafIndex,
    tree_size: eventHashes.length,
    inclusion_path: kernel.proveInclusion(leaves, leafIndex).map((hash) => encodeHex(hash) as HashHex),
    window_root: window.window_root,
  };
}

/** Examines a standalone inclusion. Nobody signed it, so it can hold and still prove nothing. */
export function examineStandaloneInclusion(exam: Examination, inclusion: Inclusion): void {
  exam.subject = { id: null, from_seq_no: inclusion.seq_no, to_seq_no: inclusion.seq_no };
  examineInclusion(exam, inclusion, null, "");
  exam.distrust(
    {
      code: "key_not_pinned",
      path: "",
      message: "A bare inclusion proof has nothing signed around it: it needs the window that it names.",
      ownAction: ASK_WINDOW,
    },
    "inclusion",
  );
}

/** Checks one inclusion proof, and that it is the window's if a window is given. */
export function examineInclusion(
  exam: Examination,
  inclusion: Inclusion,
  window: IncludingWindow | null,
  path: string,
): void {
  exam.looked("inclusion");
  const { kernel } = exam;
  const leaf = kernel.leafHash(hexToBytes(inclusion.event_hash));
  const bound =
    window === null ||
    (inclusion.window_id === window.window_id &&
      inclusion.window_root === window.window_root &&
      inclusion.tree_size === window.to_seq_no - window.from_seq_no + 1 &&
      inclusion.leaf_index === inclusion.seq_no - window.from_seq_no);
  const holds =
    inclusion.leaf_hash === encodeHex(leaf) &&
    kernel.verifyInclusion(
      leaf,
      inclusion.leaf_index,
      inclusion.tree_size,
      inclusion.inclusion_path.map(hexToBytes),
      hexToBytes(inclusion.window_root),
    );
  exam.expect("inclusion", bound && holds, {
    code: "inclusion_invalid",
    path: `${path}/inclusion_path`,
    message: bound
      ? `The inclusion proof of event ${inclusion.seq_no} does not lead to the window's root.`
      : `The inclusion proof of event ${inclusion.seq_no} is about another window.`,
  });
}
