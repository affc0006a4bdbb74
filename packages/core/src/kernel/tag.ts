/** The first line of everything that is hashed or signed under a tag (protocol section 1). */
import { encodeUtf8 } from "../encoding/utf8.ts";

/** The first word of a line unless another one is given. */
const PROOFSTREAM = "SVC-PROOFSTREAM-001";

/**
 * Returns the word, `/`, the tag and one newline, as UTF-8 bytes (protocol sections 1 and 17). `tag`, `word`: one or
 * more printable ASCII characters without a space; the word is SVC-PROOFSTREAM-001 unless it is given. Throws TypeError
 * for any other text: a newline in it would make two inputs hash alike.
 *
 * @example
 * console.log(new TextDecoder().decode(tagLine("event")).trim()); // SVC-PROOFSTREAM-001/event
 */
export function tagLine(tag: string, word = PROOFSTREAM): Uint8Array {
  for (const text of [tag, word])
    if (!/^[\x21-\x7e]+$/.test(text)) throw new TypeError(`not a tag: ${JSON.stringify(text)}`);
  return encodeUtf8(`${word}/${tag}\n`);
}
