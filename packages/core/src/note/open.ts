/**
 * Opening a signed note with keys that the caller knows (c2sp.org/signed-note, c2sp.org/tlog-cosignature): every line by one of them
 * must hold, at least one must be there, all others are ignored. It does NOT look at what the text says, and counts no quorum.
 */
import { hexToBytes } from "../encoding/hex.ts";
import { encodeUtf8 } from "../encoding/utf8.ts";
import type { Kernel, SignatureItem } from "../kernel/kernel.ts";
import { cosignedBytes, parseCosignature } from "./cosignature.ts";
import { COSIGNATURE_LINE, type NoteLine, parseNote } from "./signed-note.ts";
import type { VerificationKey } from "./verification-key.ts";

/** A line that holds, and whose it is. */
export interface NoteSignature {
  readonly key: VerificationKey;
  /** When it was cosigned, in Unix seconds; null for an ordinary signature, which states no time. */
  readonly cosignedAt: number | null;
}

/** An opened note, or the code of what keeps it shut. */
export type OpenedNote =
  | {
      readonly ok: true;
      /** What was signed, up to and including its last newline. */
      readonly text: string;
      /** In the order of the lines; one key may stand there several times. */
      readonly signatures: readonly NoteSignature[];
      /** How many lines are by none of the keys. */
      readonly ignored: number;
    }
  | {
      readonly ok: false;
      readonly code: "note_malformed" | "signature_invalid" | "witness_signature_invalid" | "key_not_pinned";
    };

/**
 * Opens a note. `note_malformed`: not the syntax of a signed note. `signature_invalid`, `witness_signature_invalid`: a line by a known
 * key does not hold, an ordinary one or a cosignature. `key_not_pinned`: no line is by a known key.
 */
export function openNote(kernel: Kernel, note: string, keys: readonly VerificationKey[]): OpenedNote {
  const parsed = parseNote(note);
  if (parsed === null) return { ok: false, code: "note_malformed" };
  const signatures: NoteSignature[] = [];
  let ignored = 0;
  for (const line of parsed.lines) {
    const known = keys.filter(({ name, keyId }) => name === line.name && keyId === line.keyId);
    const [first] = known;
    if (first === undefined) {
      ignored++;
      continue;
    }
    // Key ids are short: where several known keys share a name and an id, the line may be by any of them.
    const signature = known.map((key) => checkLine(kernel, parsed.text, line, key)).find((one) => one !== null);
    if (signature === undefined)
      return { ok: false, code: first.type === COSIGNATURE_LINE ? "witness_signature_invalid" : "signature_invalid" };
    signatures.push(signature);
  }
  if (signatures.length === 0) return { ok: false, code: "key_not_pinned" };
  return { ok: true, text: parsed.text, signatures, ignored };
}

function checkLine(kernel: Kernel, text: string, line: NoteLine, key: VerificationKey): NoteSignature | null {
  const publicKey = hexToBytes(key.publicKeyHex);
  if (key.type !== COSIGNATURE_LINE) {
    const holds = verifies(kernel, { publicKey, message: encodeUtf8(text), signature: line.signature });
    return holds ? { key, cosignedAt: null } : null;
  }
  const cosignature = parseCosignature(line.signature);
  if (cosignature === null) return null;
  const { cosignedAt, signature } = cosignature;
  return verifies(kernel, { publicKey, message: cosignedBytes(cosignedAt, text), signature })
    ? { key, cosignedAt }
    : null;
}

function verifies(kernel: Kernel, item: SignatureItem): boolean {
  return kernel.verifyEd25519([item])[0] === true;
}
