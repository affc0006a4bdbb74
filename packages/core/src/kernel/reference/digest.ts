/**
 * SHA-256 and H(tag, bytes) of protocol section 1. D(tag, x) is not here: it is H over canonical bytes, put together by the caller.
 */

import { sha256 as nobleSha256 } from "@noble/hashes/sha2.js";
import { encodeUtf8 } from "../../encoding/utf8.ts";

/** SHA-256 of bytes of any length; 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return nobleSha256(bytes);
}

/**
 * H(tag, bytes): SHA-256 of `SVC-PROOFSTREAM-001/`, the tag, one newline and the bytes; 32 bytes. Throws TypeError for a tag that
 * is not one or more printable ASCII characters without a space, since a newline in it would make two inputs hash alike.
 */
export function taggedHash(tag: string, bytes: Uint8Array): Uint8Array {
  if (!/^[\x21-\x7e]+$/.test(tag)) throw new TypeError(`not a tag: ${JSON.stringify(tag)}`);
  return nobleSha256
    .create()
    .update(encodeUtf8(`SVC-PROOFSTREAM-001/${tag}\n`))
    .update(bytes)
    .digest();
}
