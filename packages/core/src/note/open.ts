/**
 * Opens a signed note with keys that the caller knows (c2sp.org/signed-note, c2sp.org/tlog-cosignature). Every line by
 * one of them must hold, at least one must be there, all others are ignored. It does NOT read the text, and counts no
 * quorum.
 */
import { hexToBytes } from "../encoding/hex.ts";
import { encodeUtf8 } from "../encoding/utf8.ts";
import type { Kernel, SignatureItem } from "../kernel/kernel.ts";
import { cosignedBytes, parseCosignature } from "./cosignature.ts";
import { COSIGNATURE_LINE, type NoteLine, parseNote } from "./signed-note.ts";
import type { VerificationKey } from "./verification-key.ts";

/** A line that holds, and the key that signed it. */
export interface NoteSignature {
  readonly key: VerificationKey;
  /** The time of the cosignature, in Unix seconds; null for an ordinary signature, which states no time. */
  readonly cosignedAt: number | null;
}

/** An opened note, or the code of the fault. */
export type OpenedNote =
  | {
      readonly ok: true;
      /** The signed text, up to and including its last newline. */
      readonly text: string;
      /** In the order of the lines; one key may have several. */
      readonly signatures: readonly NoteSignature[];
      /** The number of lines by none of the keys. */
      readonly ignored: number;
    }
  | {
      readonly ok: false;
      readonly code: "note_malformed" | "signature_invalid" | "witness_signature_invalid" | "key_not_pinned";
    };

/**
 * Opens a signed note (c2sp.org/signed-note). `note`: the whole text. `keys`: those that you trust for it, from
 * `parseVerificationKey`; lines by other keys are ignored. Returns the text and its signatures, or one code:
 * `note_malformed` if the text is no signed note, `signature_invalid` if an ordinary line by one of the keys does not
 * hold, `witness_signature_invalid` if a cosignature does not, `key_not_pinned` if no line is by one of the keys. It
 * does not read the text: `parseCheckpointText` does.
 *
 * @example
 * const parsed = parseVerificationKey(kernel, verificationKey(kernel, checkpoint.origin, service.publicKeyHex));
 * const opened = openNote(kernel, checkpoint.note, parsed.ok ? [parsed.key] : []);
 * console.log(opened.ok && [opened.signatures.length, opened.ignored]); // [ 1, 0 ]
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
    // Key ids are short: several known keys may share a name and an id, and the line may be by any of them.
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
