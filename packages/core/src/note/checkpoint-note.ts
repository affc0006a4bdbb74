/**
 * C2SP checkpoints (c2sp.org/tlog-checkpoint): reads the tree that the text of a signed note names. It verifies
 * nothing. `checkpointText` of signed-note.ts writes such a text.
 */
import { parseBase64 } from "../encoding/base64.ts";
import type { NodeHash } from "../kernel/kernel.ts";

/** A number in notes and proofs: ASCII digits without a leading zero. */
const DECIMAL = /^(?:0|[1-9][0-9]{0,15})$/;
const HASH_BYTES = 32;

/** The tree that a checkpoint names. */
export interface CheckpointNote {
  readonly origin: string;
  /** 0 to 2^53-1. */
  readonly treeSize: number;
  /** 32 bytes. */
  readonly rootHash: NodeHash;
  /** The opaque lines behind the three known ones; none is empty. */
  readonly extensions: readonly string[];
}

/**
 * Parses the text of a note as a checkpoint (c2sp.org/tlog-checkpoint). `text`: up to and including its last newline.
 * Returns the tree that it names; null if the text is no checkpoint, or if its size is above 2^53-1. It verifies no
 * signature: `openNote` does.
 *
 * @example
 * const tree = parseCheckpointText(parseNote(checkpoint.note)?.text ?? "");
 * console.log(tree?.origin === checkpoint.origin, tree?.treeSize); // true 1
 */
export function parseCheckpointText(text: string): CheckpointNote | null {
  const lines = text.split("\n");
  if (lines.pop() !== "" || lines.includes("")) return null;
  const [origin, size, root, ...extensions] = lines;
  if (origin === undefined || size === undefined || root === undefined) return null;
  const treeSize = parseDecimal(size);
  const rootHash = parseHashLine(root);
  return treeSize === null || rootHash === null ? null : { origin, treeSize, rootHash, extensions };
}

/** Returns a decimal of 0 to 2^53-1, or null: larger numbers are never rounded. */
export function parseDecimal(text: string): number | null {
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : null;
}

/** Returns the 32 bytes of a hash in standard base64, or null. */
export function parseHashLine(text: string): NodeHash | null {
  const bytes = parseBase64(text);
  return bytes?.length === HASH_BYTES ? bytes : null;
}
