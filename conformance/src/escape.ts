/** Makes text of cases and programs safe to print: nothing in it moves the cursor, colours, reverses or hides. */

/** Control and format characters, separators of lines and paragraphs, lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Returns the text with every unsafe character written as `\u{..}`, its code point in hex. */
export function escapeText(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Returns a text of at most `most` characters, which says how many it left out, if any. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} more characters)`;
}
