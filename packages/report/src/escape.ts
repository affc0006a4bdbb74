/**
 * Makes text that came from a file or an argument safe to print: nothing in it can move the cursor, colour the screen,
 * reverse the direction of reading or hide. It does NOT shorten or wrap.
 */

/**
 * Control characters (C0, DEL, C1), format characters (bidi controls, zero-width characters, byte-order marks, tags),
 * line and paragraph separators, lone surrogates.
 */
export const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Returns the text with every unsafe character written as `\u{..}`, with its code point in hex. */
export function escapeText(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Does the same for JSON text, with `\uXXXX` escapes: any parser reads them back as the original characters. */
export function escapeJson(json: string): string {
  return json.replace(UNSAFE, (character) =>
    Array.from({ length: character.length }, (_, unit) => unitEscape(character.charCodeAt(unit))).join(""),
  );
}

/** Returns a copy of plain data in which every text is escaped. */
export function escapeAll<Value>(value: Value): Value {
  if (typeof value === "string") return escapeText(value) as Value;
  if (Array.isArray(value)) return value.map(escapeAll) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, escapeAll(member)])) as Value;
}

function unitEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
