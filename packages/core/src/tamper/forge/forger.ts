/**
 * Edits evidence and makes it consistent again: without any key, so that the old signatures stay, or with a stranger's
 * key. This file makes seals and notes; the files beside it compute the values under them.
 */
import { encodeHex, hexToBytes } from "../../encoding/hex.ts";
import { encodeUtf8 } from "../../encoding/utf8.ts";
import type { JsonObject, Kernel } from "../../kernel/kernel.ts";
import { checkpointText, ED25519_LINE, encodeNote, noteKeyId, parseNote } from "../../note/signed-note.ts";
import type { Tag } from "../../protocol.ts";
import type { HashHex, SignatureHex } from "../../schema/atoms.ts";
import { type AnySeal, kidOf, sealedBytes } from "../../seal.ts";
import { untrustedSigner } from "./untrusted-signer.ts";

/** The forger. */
export interface Forger {
  readonly kernel: Kernel;
  /** Whether a stranger signs everything; otherwise the old signatures stay, over values that they do not cover. */
  readonly signs: boolean;
}

/** The key that the stranger seals with. */
export const UNTRUSTED_SIGNER = untrustedSigner("service");

/** Returns a seal in the place of an old one. `key`: of the stranger. */
export function sealAgain<Old extends AnySeal>(
  { kernel, signs }: Forger,
  tag: Tag,
  body: JsonObject,
  old: Old,
  key = UNTRUSTED_SIGNER,
): Old {
  if (!signs) return old;
  const kid = kidOf(kernel, key.publicKeyHex);
  return { ...old, kid, signature: encodeHex(key.sign(sealedBytes(kernel, tag, body, kid))) as SignatureHex };
}

/** Returns the note of a tree head in the place of an old one. A stranger signs alone; otherwise all lines stay. */
export function noteAgain(
  { kernel, signs }: Forger,
  head: { readonly origin: string; readonly size: number; readonly rootHash: HashHex },
  old: string,
): string {
  const { origin, size, rootHash } = head;
  const text = checkpointText(origin, size, hexToBytes(rootHash));
  if (signs) {
    const keyId = noteKeyId(kernel, origin, ED25519_LINE, UNTRUSTED_SIGNER.publicKeyHex);
    return encodeNote(text, [{ name: origin, keyId, signature: UNTRUSTED_SIGNER.sign(encodeUtf8(text)) }]);
  }
  const lines = parseNote(old)?.lines ?? [];
  const [oldOrigin] = old.split("\n");
  return encodeNote(
    text,
    lines.map((line) => (line.name === oldOrigin ? { ...line, name: origin } : line)),
  );
}
