/**
 * C2SP signed notes (c2sp.org/signed-note): a text and the lines that sign it. It reads and writes the syntax and
 * computes key ids. The object that a note belongs to decides which lines must verify.
 */
import { encodeBase64, parseBase64 } from "../encoding/base64.ts";
import { concatBytes } from "../encoding/bytes.ts";
import { encodeHex, hexToBytes } from "../encoding/hex.ts";
import { encodeUtf8 } from "../encoding/utf8.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { PublicKeyHex } from "../schema/atoms.ts";
import { formats } from "../schema/formats.ts";

/** A note may have so many signature lines (protocol section 9). */
export const MAX_NOTE_LINES = 64;
/** The signature type of an ordinary Ed25519 line. */
export const ED25519_LINE = 0x01;
/** The signature type of a `cosignature/v1` line. */
export const COSIGNATURE_LINE = 0x04;
/** The signature type of a cosignature by ML-DSA-44. This release recognizes it and does not check it. */
export const ML_DSA_LINE = 0x06;

const KEY_ID_BYTES = 4;
const LINE = /^— ([^ \n]+) ([^ \n]+)$/u;
const CONTROL_BUT_NEWLINE = /[\u0000-\u0009\u000b-\u001f]/;

/** One signature line: the name of the signer, the key, and the bytes behind the key id. */
export interface NoteLine {
  readonly name: string;
  /** 8 lowercase hex characters. */
  readonly keyId: string;
  readonly signature: Uint8Array;
}

/** A parsed note. Nothing of it is verified. */
export interface SignedNote {
  /** The signed text, up to and including its last newline. */
  readonly text: string;
  readonly lines: readonly NoteLine[];
}

/**
 * Parses a signed note (c2sp.org/signed-note), with at most 64 lines. `note`: the whole text, ending in a newline.
 * Returns its text and its signature lines; null if it breaks the syntax. It verifies nothing: `openNote` does.
 *
 * @example
 * const note = parseNote(checkpoint.note);
 * console.log(note?.lines.length, note?.text.split("\n")[1]); // 1 1
 */
export function parseNote(note: string): SignedNote | null {
  const end = note.lastIndexOf("\n\n");
  if (end < 0 || !note.endsWith("\n") || CONTROL_BUT_NEWLINE.test(note) || !note.isWellFormed()) return null;
  const block = note.slice(end + 2, -1);
  const rows = block.split("\n");
  if (rows.length > MAX_NOTE_LINES) return null;
  const lines: NoteLine[] = [];
  for (const row of rows) {
    const [, name, base64] = LINE.exec(row) ?? [];
    const blob = base64 === undefined ? null : parseBase64(base64);
    if (name === undefined || blob === null || blob.length <= KEY_ID_BYTES || formats["key-name"]?.(name) !== true)
      return null;
    lines.push({
      name,
      keyId: encodeHex(blob.subarray(0, KEY_ID_BYTES)),
      signature: blob.subarray(KEY_ID_BYTES),
    });
  }
  return { text: note.slice(0, end + 1), lines };
}

/**
 * Returns the key id of a key under a name (c2sp.org/signed-note): the first 4 bytes of SHA-256(name, newline, type,
 * raw key), as 8 lowercase hex characters. `name`: a C2SP key name; not checked. `type`: ED25519_LINE or
 * COSIGNATURE_LINE. `publicKeyHex`: 64 lowercase hex characters. Throws TypeError for a key that is not hex.
 *
 * @example
 * const own = noteKeyId(kernel, checkpoint.origin, ED25519_LINE, service.publicKeyHex);
 * console.log(parseNote(checkpoint.note)?.lines[0]?.keyId === own); // true
 */
export function noteKeyId(kernel: Kernel, name: string, type: number, publicKeyHex: PublicKeyHex): string {
  return keyIdOf(kernel, name, concatBytes([Uint8Array.of(type), hexToBytes(publicKeyHex)]));
}

/** Returns the key id of a key of any algorithm. `typedKey`: its type byte and the encoded key. */
export function keyIdOf(kernel: Kernel, name: string, typedKey: Uint8Array): string {
  const bytes = concatBytes([encodeUtf8(name), Uint8Array.of(0x0a), typedKey]);
  return encodeHex(kernel.sha256(bytes).subarray(0, KEY_ID_BYTES));
}

/**
 * Returns the C2SP verification key of an ordinary Ed25519 signer (c2sp.org/signed-note): name, key id, and base64 of
 * the type and the raw key, joined by `+`. `name`: a C2SP key name; not checked. `publicKeyHex`: 64 lowercase hex
 * characters. Throws TypeError for a key that is not hex.
 *
 * @example
 * const text = verificationKey(kernel, "log.example", service.publicKeyHex);
 * console.log(text.split("+")[0], parseVerificationKey(kernel, text).ok); // log.example true
 */
export function verificationKey(kernel: Kernel, name: string, publicKeyHex: PublicKeyHex): string {
  const typed = concatBytes([Uint8Array.of(ED25519_LINE), hexToBytes(publicKeyHex)]);
  return `${name}+${noteKeyId(kernel, name, ED25519_LINE, publicKeyHex)}+${encodeBase64(typed)}`;
}

/**
 * Returns one signature line, with its newline (c2sp.org/signed-note). `line`: its key id is 8 lowercase hex
 * characters; nothing of it is checked. Throws TypeError for a key id that is not hex.
 *
 * @example
 * const [line] = parseNote(checkpoint.note)?.lines ?? [];
 * console.log(line !== undefined && checkpoint.note.includes(encodeNoteLine(line))); // true
 */
export function encodeNoteLine(line: NoteLine): string {
  return `— ${line.name} ${encodeBase64(concatBytes([hexToBytes(line.keyId), line.signature]))}\n`;
}

/**
 * Returns the note of a text and its lines (c2sp.org/signed-note). `text`: ends in a newline. `lines`: in the order in
 * which they are to stand. It checks nothing: `parseNote` reads it back.
 *
 * @example
 * const { text = "", lines = [] } = parseNote(checkpoint.note) ?? {};
 * console.log(encodeNote(text, lines) === checkpoint.note); // true
 */
export function encodeNote(text: string, lines: readonly NoteLine[]): string {
  return `${text}\n${lines.map(encodeNoteLine).join("")}`;
}

/**
 * Returns the three text lines of a checkpoint note (c2sp.org/tlog-checkpoint). `origin`: one line. `treeSize`: 0 to
 * 2^53-1. `rootHash`: 32 bytes. It checks nothing: `parseCheckpointText` reads it back.
 *
 * @example
 * const text = checkpointText("log.example", 0, new Uint8Array(32));
 * console.log(parseCheckpointText(text)?.origin); // log.example
 */
export function checkpointText(origin: string, treeSize: number, rootHash: Uint8Array): string {
  return `${origin}\n${treeSize}\n${encodeBase64(rootHash)}\n`;
}
