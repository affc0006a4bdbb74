/**
 * Finds the members of an object or the elements of an array in JSON text, so that one record of a large file can be
 * read without building the others. A kernel has accepted the text before: this code does NOT check it, and decides no
 * verdict.
 */

/** A value in a text: its first byte, and the first byte behind it. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [BRACKET, BRACE] = [0x5b, 0x7b];
const [BRACKET_END, BRACE_END] = [0x5d, 0x7d];
const [COMMA, COLON] = [0x2c, 0x3a];

const decoder = new TextDecoder();

/** Returns the text of a span. */
export function textAt(bytes: Uint8Array, { start, end }: TextSpan): string {
  // Shared memory is copied: not every runtime decodes it in place.
  return decoder.decode(bytes.slice(start, end));
}

/** Returns the starts and ends of an array's elements, one after the other; empty if the value is no array. */
export function elementSpans(bytes: Uint8Array, { start }: TextSpan): Float64Array {
  const spans: number[] = [];
  const at = skipSpace(bytes, start);
  if (bytes[at] !== BRACKET) return new Float64Array();
  for (let place = skipSpace(bytes, at + 1); place < bytes.length && bytes[place] !== BRACKET_END; ) {
    const end = endOfValue(bytes, place);
    spans.push(place, end);
    place = skipSpace(bytes, end);
    if (bytes[place] === COMMA) place = skipSpace(bytes, place + 1);
  }
  return Float64Array.from(spans);
}

/** Returns the members of an object by name; empty if the value is no object. */
export function memberSpans(bytes: Uint8Array, { start }: TextSpan): Map<string, TextSpan> {
  const members = new Map<string, TextSpan>();
  const at = skipSpace(bytes, start);
  if (bytes[at] !== BRACE) return members;
  for (let place = skipSpace(bytes, at + 1); place < bytes.length && bytes[place] !== BRACE_END; ) {
    const nameEnd = endOfString(bytes, place);
    const name = JSON.parse(textAt(bytes, { start: place, end: nameEnd })) as string;
    let value = skipSpace(bytes, nameEnd);
    if (bytes[value] === COLON) value = skipSpace(bytes, value + 1);
    const end = endOfValue(bytes, value);
    members.set(name, { start: value, end });
    place = skipSpace(bytes, end);
    if (bytes[place] === COMMA) place = skipSpace(bytes, place + 1);
  }
  return members;
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
}

/** Returns the index behind the closing quote of the string that begins here. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let quote = bytes.indexOf(QUOTE, start + 1); quote >= 0; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let escapes = 0;
    while (bytes[quote - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return quote + 1;
  }
  return bytes.length;
}

/** Returns the index behind the value that begins here. */
function endOfValue(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; ) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      if (depth === 0) return at;
      continue;
    }
    if (byte === BRACKET || byte === BRACE) depth++;
    else if (byte === BRACKET_END || byte === BRACE_END) {
      // The character behind a number or a word ends the object or array around it.
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && byte === COMMA) return at;
    at++;
  }
  return bytes.length;
}
