/**
 * C2SP checkpoints (c2sp.org/tlog-checkpoint): what the text of a signed note says of a tree. Reads only; nothing is verified. The inverse
 * of the text is `checkpointText` of signed-note.ts.
 */
import { parseBase64 } from "../encoding/base64.ts";
import type { NodeHash } from "../kernel/kernel.ts";

/** A number as notes and proofs write one: ASCII digits without a leading zero. */
const DECIMAL = /^(?:0|[1-9][0-9]{0,15})$/;
const HASH_BYTES = 32;

/** The tree that a checkpoint is of. */
export interface CheckpointNote {
  readonly origin: string;
  /** 0 to 2^53-1. */
  readonly treeSize: number;
  /** 32 bytes. */
  readonly rootHash: NodeHash;
  /** Opaque lines behind the three that count; never empty texts. */
  readonly extensions: readonly string[];
}

/** Reads the text of a note, up to and including its last newline, as a checkpoint; null where it is none. */
export function parseCheckpointText(text: string): CheckpointNote | null {
  const lines = text.split("\n");
  if (lines.pop() !== "" || lines.includes("")) return null;
  const [origin, size, root, ...extensions] = lines;
  if (origin === undefined || size === undefined || root === undefined) return null;
  const treeSize = parseDecimal(size);
  const rootHash = parseHashLine(root);
  return treeSize === null || rootHash === null ? null : { origin, treeSize, rootHash, extensions };
}

/** A decimal of 0 to 2^53-1, or null: larger ones are never rounded. */
export function parseDecimal(text: string): number | null {
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : null;
}

/** The 32 bytes of a hash in standard base64, or null. */
export function parseHashLine(text: string): NodeHash | null {
  const bytes = parseBase64(text);
  return bytes?.length === HASH_BYTES ? bytes : null;
}
