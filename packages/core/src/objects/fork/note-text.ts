/**
 * The notes of fork evidence: signed notes that stand as text, outside of any sealed object (protocol section 11,
 * c2sp.org/tlog-checkpoint). Extension lines are allowed here and mean nothing: what was signed counts, whether or not it should have been.
 */
import { encodeHex } from "../../encoding/hex.ts";
import { parseCheckpointText } from "../../note/checkpoint-note.ts";
import { type NoteLine, parseNote } from "../../note/signed-note.ts";
import type { HashHex } from "../../schema/atoms.ts";
import { formats } from "../../schema/formats.ts";

/** A note of a tree taken apart. Nothing of it is verified. */
export interface TreeNote {
  /** The whole note. */
  readonly note: string;
  /** What its lines sign. */
  readonly text: string;
  readonly origin: string;
  readonly size: number;
  readonly root: HashHex;
  readonly lines: readonly NoteLine[];
  /** The stream whose origin it is; null for a service's own log. */
  readonly streamId: string | null;
}

const STREAM_ORIGIN = /\/(str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25})$/;

/** Reads the note of a tree, or answers null where it is none. Verifies nothing. */
export function parseTreeNote(note: string): TreeNote | null {
  const parsed = parseNote(note);
  const checkpoint = parsed === null ? null : parseCheckpointText(parsed.text);
  if (parsed === null || checkpoint === null || formats["key-name"]?.(checkpoint.origin) !== true) return null;
  const { origin, treeSize: size, rootHash } = checkpoint;
  const streamId = STREAM_ORIGIN.exec(origin)?.[1] ?? null;
  return { note, ...parsed, origin, size, root: encodeHex(rootHash) as HashHex, streamId };
}
