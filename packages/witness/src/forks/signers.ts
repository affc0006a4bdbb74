/**
 * The keys of a log that have signed a note, by the lines of the note. The lines were verified when the note came: it
 * verifies nothing.
 */
import { encodeNote, type NoteLine, parseNote, type VerificationKey } from "@svc/core";

/** Returns those of the keys by which a line of a note is. */
export function signersOf(note: string, keys: readonly VerificationKey[]): VerificationKey[] {
  const lines = parseNote(note)?.lines ?? [];
  return keys.filter((key) => lines.some((line) => isBy(line, key)));
}

/** Returns whether some of the keys have signed a note, and not another one. */
export function addsSigner(note: string, other: string, keys: readonly VerificationKey[]): boolean {
  const known = signersOf(other, keys);
  return signersOf(note, keys).some((key) => !known.includes(key));
}

/**
 * Returns a note with the lines of an older one of the same text added, so that no signer of it is forgotten. One with
 * another text, which has other extension lines, is returned as it is.
 */
export function withLinesOf(older: string | null, note: string): string {
  const [before, now] = [older === null ? null : parseNote(older), parseNote(note)];
  if (before === null || now === null || before.text !== now.text) return note;
  const more = before.lines.filter((line) => !now.lines.some((newer) => isBy(line, newer)));
  return more.length === 0 ? note : encodeNote(now.text, [...more, ...now.lines]);
}

/** The name and the identifier of a key. */
type Signer = Pick<NoteLine, "name" | "keyId">;

function isBy(line: Signer, key: Signer): boolean {
  return line.name === key.name && line.keyId === key.keyId;
}
