/**
 * The escapes of JSON strings (protocol section 2): the parser's questions about one, and the decoding of a checked
 * string with escapes to its UTF-8 bytes, so that a string with many escapes is decoded once. The parser knows
 * positions and errors; this file does not.
 */

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const SHORT: ReadonlyMap<number, number> = new Map([
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
]);

/** Says whether a byte may follow a backslash and be the whole escape. */
export function isShortEscape(byte: number): boolean {
  return byte > 0 && '"\\/bfnrt'.includes(String.fromCharCode(byte));
}

/** Returns the value of a hexadecimal digit of either case; -1 for any other byte. */
export function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  if (byte >= 0x41 && byte <= 0x46) return byte - 0x37;
  if (byte >= 0x61 && byte <= 0x66) return byte - 0x57;
  return -1;
}

/** Says whether the six bytes from `at` are an escape of U+DC00..DFFF. */
export function isLowSurrogateEscape(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LETTER_U) return false;
  const digits = [2, 3, 4, 5].map((i) => hexDigit(bytes[at + i] ?? -1));
  return digits[0] === 0xd && (digits[1] ?? 0) >= 0xc && digits.every((digit) => digit >= 0);
}

/**
 * Returns the UTF-8 bytes that the inside of a JSON string stands for. `raw` holds valid escapes only, with surrogates
 * in pairs.
 */
export function unescapeJsonString(raw: Uint8Array): Uint8Array {
  const out = new Uint8Array(raw.length); // no escape is shorter than what it stands for
  let to = 0;
  let from = 0;
  while (from < raw.length) {
    const byte = raw[from++] ?? 0;
    if (byte !== BACKSLASH) {
      out[to++] = byte;
      continue;
    }
    const kind = raw[from++] ?? 0;
    if (kind !== LETTER_U) {
      out[to++] = SHORT.get(kind) ?? kind;
      continue;
    }
    let point = codeUnit(raw, from);
    from += 4;
    if (point >= 0xd800 && point <= 0xdbff) {
      point = 0x10000 + ((point - 0xd800) << 10) + (codeUnit(raw, from + 2) - 0xdc00);
      from += 6;
    }
    to = writeUtf8(out, to, point);
  }
  return out.subarray(0, to);
}

function codeUnit(raw: Uint8Array, at: number): number {
  let unit = 0;
  for (let i = at; i < at + 4; i++) unit = unit * 16 + hexDigit(raw[i] ?? 0);
  return unit;
}

/** Writes one scalar value and returns the offset behind it. */
function writeUtf8(out: Uint8Array, at: number, point: number): number {
  let to = at;
  if (point < 0x80) {
    out[to++] = point;
    return to;
  }
  if (point < 0x800) {
    out[to++] = 0xc0 | (point >> 6);
  } else {
    if (point < 0x10000) {
      out[to++] = 0xe0 | (point >> 12);
    } else {
      out[to++] = 0xf0 | (point >> 18);
      out[to++] = 0x80 | ((point >> 12) & 63);
    }
    out[to++] = 0x80 | ((point >> 6) & 63);
  }
  out[to++] = 0x80 | (point & 63);
  return to;
}
