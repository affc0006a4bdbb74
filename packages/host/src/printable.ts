/**
 * Text of others on an operator's terminal and in logs: nothing in it can move the cursor, colour the screen, reverse
 * the direction of reading or hide. The auditor's tool has the same rule in @svc/report, which no server imports.
 */

/**
 * Control characters but the newline (C0, DEL, C1), format characters (bidi controls, zero-width characters, tags),
 * line and paragraph separators, lone surrogates.
 */
const UNSAFE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Returns the text with every unsafe character written as `\u{..}`, with its code point in hex. */
export function printable(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
