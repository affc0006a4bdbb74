/**
 * Whether the memory of a witness is whole: the last tree of each origin is the one that was signed last, with a note
 * that this witness has cosigned. The high-water mark tells an older database; this tells one in which rows were lost
 * or changed. It does NOT check the notes before the last ones.
 */
import { createHash } from "node:crypto";
import {
  encodeHex,
  type Kernel,
  openNote,
  parseCheckpointText,
  parseVerificationKey,
  type VerificationKey,
} from "@svc/core";
import type { Reader } from "@svc/host/store";
import { forgottenOrigin, type RememberedRow, remembered } from "./checkpoints-store.ts";

const PORTION = 500;

/** The state of the memory. */
export interface Memory {
  readonly origins: number;
  /** An origin whose last tree is not what was signed last, and why not; null without a fault. */
  readonly fault: { readonly origin: string; readonly why: string } | null;
  /** The time of the latest cosignature, in Unix seconds; 0 for none. */
  readonly cosignedAt: number;
}

/** Resolves to the state of the memory; it ends at the first fault. `vkey`: the witness's. */
export async function checkMemory(kernel: Kernel, reader: Reader, vkey: string): Promise<Memory> {
  const parsed = parseVerificationKey(kernel, vkey);
  const keys = parsed.ok ? [parsed.key] : [];
  let [origins, cosignedAt] = [0, 0];
  const forgotten = await forgottenOrigin(reader);
  if (forgotten !== null) return { origins, cosignedAt, fault: { origin: forgotten, why: "its last tree is missing" } };
  for (let after = ""; ; ) {
    const rows = await remembered(reader, after, PORTION);
    for (const row of rows) {
      const why = faultOf(kernel, keys, row);
      if (why !== null) return { origins, cosignedAt, fault: { origin: row.origin, why } };
      origins += 1;
      cosignedAt = Math.max(cosignedAt, row.cosigned_at);
    }
    after = rows.at(-1)?.origin ?? after;
    if (rows.length < PORTION) return { origins, cosignedAt, fault: null };
  }
}

function faultOf(kernel: Kernel, keys: readonly VerificationKey[], row: RememberedRow): string | null {
  const { origin, origin_hash, tree_size, root_hash, signed_note, cosigned_at, last_size, last_root } = row;
  if (tree_size !== last_size || root_hash !== last_root)
    return `its last tree is of size ${tree_size}, and one of size ${last_size ?? "none"} was signed last`;
  const opened = openNote(kernel, signed_note, keys);
  if (!opened.ok) return "its last note has no cosignature by this witness that holds";
  const tree = parseCheckpointText(opened.text);
  const isItsNote = tree?.origin === origin && tree.treeSize === tree_size && encodeHex(tree.rootHash) === root_hash;
  if (!isItsNote) return "its last note is of another tree";
  if (opened.signatures[0]?.cosignedAt !== cosigned_at) return "its last note was cosigned at another time";
  return origin_hash === createHash("sha256").update(origin).digest("hex") ? null : "its hash is another one";
}
