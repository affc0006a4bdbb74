/**
 * The signed note of a tree head by the key that sealed the object around it (protocol sections 9 and 12): the text
 * says the same as the object, and that key has signed it. cosignatures.ts and anchor/cosigners.ts read lines by others
 * whose keys are known.
 */
import { hexToBytes } from "../encoding/hex.ts";
import { encodeUtf8 } from "../encoding/utf8.ts";
import { checkpointText, ED25519_LINE, noteKeyId, parseNote, type SignedNote } from "../note/signed-note.ts";
import type { CheckId } from "../report/checks.ts";
import type { Examination } from "../report/examination.ts";
import type { HashHex, Kid } from "../schema/atoms.ts";

/** A tree head, its signer, and the sealed object in words, as in "checkpoint 3". */
export interface NotedHead {
  readonly origin: string;
  readonly size: number;
  readonly rootHash: HashHex;
  readonly kid: Kid;
  readonly what: string;
}

/** Checks a note against its tree head. Returns the parsed note, or null if it is no signed note. */
export function examineOwnNote(
  exam: Examination,
  head: NotedHead,
  text: string,
  path: string,
  check: CheckId = "note",
): SignedNote | null {
  const note = parseNote(text);
  if (note === null) {
    exam.looked(check);
    exam.reject(check, { code: "note_malformed", path, message: `The note of ${head.what} is not a signed note.` });
    return null;
  }
  const { origin, size, rootHash, what } = head;
  exam.expectEqual(check, "note_mismatch", checkpointText(origin, size, hexToBytes(rootHash)), note.text, {
    path,
    message: `The note of ${what} does not say what ${what} says.`,
  });
  examineOwnLines(exam, head, note, path, check);
  return note;
}

function examineOwnLines(exam: Examination, head: NotedHead, note: SignedNote, path: string, check: CheckId): void {
  const { origin, kid, what } = head;
  const publicKeyHex = exam.keys.publicKey(kid);
  // Without the key, its lines cannot be distinguished from others.
  if (publicKeyHex === null) {
    exam.cannotEvaluate(check, `the key that sealed ${what} is missing, so no line can be assigned to it`);
    return;
  }
  const keyId = noteKeyId(exam.kernel, origin, ED25519_LINE, publicKeyHex);
  const own = note.lines.filter((line) => line.name === origin && line.keyId === keyId);
  exam.expect(check, own.length > 0, {
    code: "note_mismatch",
    path,
    message: `The note of ${what} carries no line by the key that sealed it.`,
  });
  for (const line of own) {
    exam.signature(check, publicKeyHex, encodeUtf8(note.text), line.signature, {
      code: "signature_invalid",
      path,
      message: `The note of ${what} is not signed by the key that sealed it.`,
    });
  }
}
