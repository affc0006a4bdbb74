/** The first line of everything that is hashed or signed under a tag (protocol section 1). */
import { encodeUtf8 } from "../encoding/utf8.ts";

/**
 * Returns `SVC-PROOFSTREAM-001/`, the tag and one newline, as UTF-8 bytes (protocol section 1). `tag`: one or more
 * printable ASCII characters without a space. Throws TypeError for any other tag: a newline in it would make two inputs
 * hash alike.
 *
 * @example
 * console.log(new TextDecoder().decode(tagLine("event")).trim()); // SVC-PROOFSTREAM-001/event
 */
export function tagLine(tag: string): Uint8Array {
  if (!/^[\x21-\x7e]+$/.test(tag)) throw new TypeError(`not a tag: ${JSON.stringify(tag)}`);
  return encodeUtf8(`SVC-PROOFSTREAM-001/${tag}\n`);
}
