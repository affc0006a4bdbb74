/** The first line of everything that is hashed or signed under a tag (protocol section 1). */
import { encodeUtf8 } from "../encoding/utf8.ts";

/**
 * `SVC-PROOFSTREAM-001/`, the tag and one newline. Throws TypeError for a tag that is not one or more printable ASCII characters
 * without a space, since a newline in it would make two inputs hash alike.
 */
export function tagLine(tag: string): Uint8Array {
  if (!/^[\x21-\x7e]+$/.test(tag)) throw new TypeError(`not a tag: ${JSON.stringify(tag)}`);
  return encodeUtf8(`SVC-PROOFSTREAM-001/${tag}\n`);
}
