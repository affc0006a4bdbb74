/**
 * C2SP signed notes (c2sp.org/signed-note): a text and lines that sign it. Reads and writes the syntax and computes key ids;
 * whose lines must verify is decided by the object that the note belongs to.
 */
import { encodeBase64, parseBase64 } from "../encoding/base64.ts";
import { concatBytes } from "../encoding/bytes.ts";
import { encodeHex, hexToBytes } from "../encoding/hex.ts";
import { encodeUtf8 } from "../encoding/utf8.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { PublicKeyHex } from "../schema/atoms.ts";
import { formats } from "../schema/formats.ts";

/** How many signature lines a note may carry (protocol section 9). */
export const MAX_NOTE_LINES = 64;
/** The signature type of an ordinary Ed25519 line. */
export const ED25519_LINE = 0x01;
/** The signature type of a `cosignature/v1` line. */
export const COSIGNATURE_LINE = 0x04;
/** The signature type of a cosignature by ML-DSA-44, which this release recognizes and does not check. */
export const ML_DSA_LINE = 0x06;

const KEY_ID_BYTES = 4;
const LINE = /^— ([^ \n]+) ([^ \n]+)$/u;
const CONTROL_BUT_NEWLINE = /[\u0000-\u0009\u000b-\u001f]/;

/** One signature line: who claims to sign, which key, and what stands after the key id. */
export interface NoteLine {
  readonly name: string;
  /** 8 lowercase hex characters. */
  readonly keyId: string;
  readonly signature: Uint8Array;
}

/** A note taken apart. Nothing of it is verified. */
export interface SignedNote {
  /** What the lines sign, up to and including its last newline. */
  readonly text: string;
  readonly lines: readonly NoteLine[];
}

/** Reads a signed note, or answers null where it breaks the syntax. Verifies nothing. */
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

/** The key id of a key under a name: the first 4 bytes of SHA-256(name, newline, type, raw key), as 8 hex characters. */
export function noteKeyId(kernel: Kernel, name: string, type: number, publicKeyHex: PublicKeyHex): string {
  return keyIdOf(kernel, name, concatBytes([Uint8Array.of(type), hexToBytes(publicKeyHex)]));
}

/** The same of a key of any algorithm, given as its type byte and the encoded key. */
export function keyIdOf(kernel: Kernel, name: string, typedKey: Uint8Array): string {
  const bytes = concatBytes([encodeUtf8(name), Uint8Array.of(0x0a), typedKey]);
  return encodeHex(kernel.sha256(bytes).subarray(0, KEY_ID_BYTES));
}

/** The C2SP verification key of an ordinary Ed25519 signer: name, key id, and base64 of the type and the raw key, joined by `+`. */
export function verificationKey(kernel: Kernel, name: string, publicKeyHex: PublicKeyHex): string {
  const typed = concatBytes([Uint8Array.of(ED25519_LINE), hexToBytes(publicKeyHex)]);
  return `${name}+${noteKeyId(kernel, name, ED25519_LINE, publicKeyHex)}+${encodeBase64(typed)}`;
}

/** One signature line, with its newline. */
export function encodeNoteLine(line: NoteLine): string {
  return `— ${line.name} ${encodeBase64(concatBytes([hexToBytes(line.keyId), line.signature]))}\n`;
}

/** A note of a text (ending in a newline) and its lines. */
export function encodeNote(text: string, lines: readonly NoteLine[]): string {
  return `${text}\n${lines.map(encodeNoteLine).join("")}`;
}

/** The three text lines of a checkpoint note (c2sp.org/tlog-checkpoint). */
export function checkpointText(origin: string, treeSize: number, rootHash: Uint8Array): string {
  return `${origin}\n${treeSize}\n${encodeBase64(rootHash)}\n`;
}
