/**
 * The notes of fork evidence: signed notes as text, outside any sealed object (protocol section 11,
 * c2sp.org/tlog-checkpoint). Extension lines are allowed here and mean nothing: only the signed text counts, even if it
 * should not have been signed.
 */
import { encodeHex } from "../../encoding/hex.ts";
import { parseCheckpointText } from "../../note/checkpoint-note.ts";
import { type NoteLine, parseNote } from "../../note/signed-note.ts";
import type { HashHex } from "../../schema/atoms.ts";
import { formats } from "../../schema/formats.ts";

/** The parsed note of a tree. Nothing of it is verified. */
export interface TreeNote {
  /** The whole note. */
  readonly note: string;
  /** The text that its lines sign. */
  readonly text: string;
  readonly origin: string;
  readonly size: number;
  readonly root: HashHex;
  readonly lines: readonly NoteLine[];
  /** The stream of its origin; null for a service's own log. */
  readonly streamId: string | null;
}

const STREAM_ORIGIN = /\/(str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25})$/;

/** Parses the note of a tree; null for another text. It verifies nothing. */
export function parseTreeNote(note: string): TreeNote | null {
  const parsed = parseNote(note);
  const checkpoint = parsed === null ? null : parseCheckpointText(parsed.text);
  if (parsed === null || checkpoint === null || formats["key-name"]?.(checkpoint.origin) !== true) return null;
  const { origin, treeSize: size, rootHash } = checkpoint;
  const streamId = STREAM_ORIGIN.exec(origin)?.[1] ?? null;
  return { note, ...parsed, origin, size, root: encodeHex(rootHash) as HashHex, streamId };
}
