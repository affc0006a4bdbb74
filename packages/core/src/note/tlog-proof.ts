/**
 * C2SP transparency log proofs (c2sp.org/tlog-proof), saved as `.tlog-proof`: a leaf's index, its inclusion proof and
 * the signed checkpoint in one text. It reads and writes the syntax, one text for each proof;
 * ../trust/tlog-policy/proof.ts verifies proofs.
 */
import { encodeBase64, parseBase64 } from "../encoding/base64.ts";
import type { NodeHash } from "../kernel/kernel.ts";
import { type CheckpointNote, parseCheckpointText, parseDecimal, parseHashLine } from "./checkpoint-note.ts";
import { parseNote } from "./signed-note.ts";

const HEADER = "c2sp.org/tlog-proof@v1";
const EXTRA = "extra ";
const INDEX = "index ";
/** No tree of up to 2^53-1 leaves has a longer inclusion proof. */
export const MAX_PATH_HASHES = 53;
const HASH_BYTES = 32;

/** The parts of a proof. */
export interface TlogProofParts {
  /** Data that nobody signed and that the reader may need to compute the leaf, at least one byte; null for none. */
  readonly extra: Uint8Array | null;
  /** The leaf's index, from 0. */
  readonly index: number;
  /** The inclusion proof, the leaf side first; 32 bytes for a hash. */
  readonly path: readonly NodeHash[];
  /** The signed note of the checkpoint, verbatim. */
  readonly checkpoint: string;
}

/** A parsed proof. Nothing of it is verified. */
export interface TlogProof extends TlogProofParts {
  /** The tree that the checkpoint's text names. */
  readonly tree: CheckpointNote;
}

/** A proof, or the first fault of the text. */
export type ParsedTlogProof =
  | { readonly ok: true; readonly proof: TlogProof }
  | {
      readonly ok: false;
      /** From 1. */
      readonly line: number;
      readonly message: string;
    };

/**
 * Returns the text of a proof (c2sp.org/tlog-proof). `extra`: at least one byte, or null. `index`: 0 to 2^53-1. `path`:
 * at most 53 hashes of 32 bytes, the leaf side first. `checkpoint`: a signed note, verbatim. Throws RangeError for
 * parts that no proof can have. It verifies nothing.
 *
 * @example
 * const text = encodeTlogProof({ extra: null, index: 0, path: [], checkpoint: checkpoint.note });
 * console.log(text.split("\n").slice(0, 2)); // [ 'c2sp.org/tlog-proof@v1', 'index 0' ]
 */
export function encodeTlogProof({ extra, index, path, checkpoint }: TlogProofParts): string {
  if (!Number.isSafeInteger(index) || index < 0) throw new RangeError(`no leaf has the index ${index}`);
  if (extra?.length === 0) throw new RangeError("empty extra data has no line: give null");
  if (path.length > MAX_PATH_HASHES || path.some((hash) => hash.length !== HASH_BYTES))
    throw new RangeError(`an inclusion proof has at most ${MAX_PATH_HASHES} hashes of ${HASH_BYTES} bytes`);
  if (parseCheckpointNote(checkpoint) === null) throw new RangeError("the checkpoint is not a signed C2SP checkpoint");
  const lines = [
    HEADER,
    ...(extra === null ? [] : [`${EXTRA}${encodeBase64(extra)}`]),
    `${INDEX}${index}`,
    ...path.map(encodeBase64),
  ];
  return `${lines.join("\n")}\n\n${checkpoint}`;
}

/**
 * Parses a proof (c2sp.org/tlog-proof) strictly: `encodeTlogProof` would write the same text of its parts. `text`: the
 * whole file. Returns the parts, or the first fault with its line. Never throws. It verifies nothing: `verifyTlogProof`
 * does.
 *
 * @example
 * const text = encodeTlogProof({ extra: null, index: 0, path: [], checkpoint: checkpoint.note });
 * const parsed = parseTlogProof(text);
 * console.log(parsed.ok && parsed.proof.tree.treeSize); // 1
 */
export function parseTlogProof(text: string): ParsedTlogProof {
  const end = text.indexOf("\n\n");
  const lines = text.slice(0, Math.max(end, 0)).split("\n");
  const fault = (line: number, message: string): ParsedTlogProof => ({ ok: false, line, message });
  if (text.slice(0, HEADER.length + 1) !== `${HEADER}\n`) return fault(1, `The first line must be ${HEADER}.`);
  if (end < 0) return fault(1, "The empty line before the checkpoint is missing.");
  const extraLine = lines[1]?.startsWith(EXTRA) ? lines[1] : null;
  const extra = extraLine === null ? null : parseBase64(extraLine.slice(EXTRA.length));
  if (extraLine !== null && (extra === null || extra.length === 0))
    return fault(2, "The extra data must be canonical base64 with padding, of at least one byte.");
  const at = extraLine === null ? 1 : 2;
  const indexLine = lines[at];
  const index = indexLine?.startsWith(INDEX) ? parseDecimal(indexLine.slice(INDEX.length)) : null;
  if (index === null) return fault(at + 1, "This line must be `index`, a space and a decimal of 0 to 2^53-1.");
  const path: NodeHash[] = [];
  for (const line of lines.slice(at + 1)) {
    const hash = parseHashLine(line);
    const place = at + 2 + path.length;
    if (hash === null) return fault(place, "A hash must be the canonical base64 of 32 bytes.");
    if (path.length === MAX_PATH_HASHES)
      return fault(place, `No inclusion proof has more than ${MAX_PATH_HASHES} hashes.`);
    path.push(hash);
  }
  const checkpoint = text.slice(end + 2);
  const tree = parseCheckpointNote(checkpoint);
  if (tree === null) return fault(lines.length + 2, "What follows the empty line is not a signed C2SP checkpoint.");
  return { ok: true, proof: { extra, index, path, checkpoint, tree } };
}

function parseCheckpointNote(note: string): CheckpointNote | null {
  const parsed = parseNote(note);
  return parsed === null ? null : parseCheckpointText(parsed.text);
}
