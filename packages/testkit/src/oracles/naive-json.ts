/**
 * Protocol section 2 in the words of its sources, slowly: the UTF-8 grammar of RFC 3629 section 4, the JSON grammar of
 * RFC 8259, and RFC 8785 section 3.2. It works on a text of one character for each byte, so that an index is a byte
 * offset, and shares no code with a kernel.
 */

/** The canonical bytes and the value, or the first error. */
export type NaiveJson =
  | { ok: true; canonicalHex: string; value: unknown }
  | { ok: false; code: string; offset: number };

/** The canonical text of a value. */
interface Read {
  readonly canonical: string;
  readonly value: unknown;
  readonly end: number;
}

const UTF8 =
  /(?:[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})*/y;
const SPACE = /[\x20\x09\x0a\x0d]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;

class Refused extends Error {
  readonly code: string;
  readonly offset: number;
  constructor(code: string, offset: number) {
    super(code);
    this.code = code;
    this.offset = offset;
  }
}

/** Parses bytes. It takes quadratic time, and a level of the stack for each bracket. */
export function naiveJson(bytes: Uint8Array): NaiveJson {
  const text = Buffer.from(bytes).toString("latin1");
  try {
    const wellFormed = lengthAt(UTF8, text, 0);
    if (wellFormed < text.length) throw new Refused("invalid_unicode", wellFormed);
    const { canonical, value, end } = readValue(text, skipSpace(text, 0), 0);
    const rest = skipSpace(text, end);
    if (rest < text.length) throw new Refused("json_malformed", rest);
    return { ok: true, canonicalHex: Buffer.from(canonical, "latin1").toString("hex"), value };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, code: error.code, offset: error.offset };
    throw error;
  }
}

function readValue(text: string, at: number, depth: number): Read {
  const first = text[at] ?? "";
  if (first === "{" || first === "[") {
    if (depth === 64) throw new Refused("too_deep", at);
    return first === "{" ? readObject(text, at, depth + 1) : readArray(text, at, depth + 1);
  }
  if (first === '"') {
    const { characters, end } = readString(text, at);
    return { canonical: writeString(characters), value: toText(characters), end };
  }
  for (const word of ["true", "false", "null"]) if (first === word[0]) return readWord(text, at, word);
  return readNumber(text, at);
}

function readObject(text: string, open: number, depth: number): Read {
  const members: { name: string; written: string; value: unknown }[] = [];
  let at = skipSpace(text, open + 1);
  if (text[at] === "}") return { canonical: "{}", value: {}, end: at + 1 };
  for (;;) {
    if (text[at] !== '"') throw new Refused("json_malformed", at);
    const { characters, end } = readString(text, at);
    const name = toText(characters);
    if (members.some((member) => member.name === name)) throw new Refused("duplicate_name", at);
    at = skipSpace(text, end);
    if (text[at] !== ":") throw new Refused("json_malformed", at);
    const value = readValue(text, skipSpace(text, at + 1), depth);
    members.push({ name, written: `${writeString(characters)}:${value.canonical}`, value: value.value });
    at = skipSpace(text, value.end);
    if (text[at] === "}") break;
    if (text[at] !== ",") throw new Refused("json_malformed", at);
    at = skipSpace(text, at + 1);
  }
  const value = Object.fromEntries(members.map((member) => [member.name, member.value]));
  members.sort((a, b) => compareUnits(a.name, b.name));
  return { canonical: `{${members.map(({ written }) => written).join(",")}}`, value, end: at + 1 };
}

function readArray(text: string, open: number, depth: number): Read {
  const elements: Read[] = [];
  let at = skipSpace(text, open + 1);
  if (text[at] === "]") return { canonical: "[]", value: [], end: at + 1 };
  for (;;) {
    const element = readValue(text, at, depth);
    elements.push(element);
    at = skipSpace(text, element.end);
    if (text[at] === "]") {
      const canonical = `[${elements.map((one) => one.canonical).join(",")}]`;
      return { canonical, value: elements.map((one) => one.value), end: at + 1 };
    }
    if (text[at] !== ",") throw new Refused("json_malformed", at);
    at = skipSpace(text, at + 1);
  }
}

/** Returns the characters that a string stands for, in UTF-8, one character for each byte. */
function readString(text: string, quote: number): { characters: string; end: number } {
  let characters = "";
  let at = quote + 1;
  for (;;) {
    const byte = text[at];
    if (byte === '"') return { characters, end: at + 1 };
    if (byte === undefined || byte < "\x20") throw new Refused("json_malformed", at);
    if (byte !== "\\") {
      characters += byte;
      at++;
      continue;
    }
    const letter = text[at + 1] ?? "";
    const place = '"\\/bfnrt'.indexOf(letter);
    if (letter !== "" && place >= 0) {
      characters += '"\\/\b\f\n\r\t'[place];
      at += 2;
      continue;
    }
    if (letter !== "u") throw new Refused("json_malformed", at + 1);
    const unit = readUnit(text, at + 2);
    if (unit < 0xd800 || unit > 0xdfff) {
      characters += utf8(unit);
      at += 6;
      continue;
    }
    const low = /^\\u([dD][c-fC-F][0-9a-fA-F]{2})$/.exec(text.slice(at + 6, at + 12))?.[1];
    if (unit > 0xdbff || low === undefined) throw new Refused("invalid_unicode", at);
    characters += utf8(0x10000 + (unit - 0xd800) * 0x400 + (Number.parseInt(low, 16) - 0xdc00));
    at += 12;
  }
}

function readUnit(text: string, at: number): number {
  for (let i = at; i < at + 4; i++) if (!/^[0-9a-fA-F]$/.test(text[i] ?? "")) throw new Refused("json_malformed", i);
  return Number.parseInt(text.slice(at, at + 4), 16);
}

/** Returns a string in the spelling of RFC 8785 section 3.2.2.2. */
function writeString(characters: string): string {
  const short: Record<string, string> = { "\b": "b", "\t": "t", "\n": "n", "\f": "f", "\r": "r", '"': '"', "\\": "\\" };
  const written = [...characters].map((character) => {
    const letter = short[character];
    if (letter !== undefined) return `\\${letter}`;
    return character < "\x20" ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}` : character;
  });
  return `"${written.join("")}"`;
}

function readWord(text: string, at: number, word: string): Read {
  for (let i = 0; i < word.length; i++) if (text[at + i] !== word[i]) throw new Refused("json_malformed", at + i);
  return { canonical: word, value: word === "null" ? null : word === "true", end: at + word.length };
}

function readNumber(text: string, at: number): Read {
  NUMBER.lastIndex = at;
  const [literal = "", fraction, exponent] = NUMBER.exec(text) ?? [];
  const end = at + literal.length;
  // The grammar stops at an incomplete part; the error is where that part cannot go on.
  if (literal === "") throw new Refused("json_malformed", text[at] === "-" ? at + 1 : at);
  if (exponent === undefined) {
    if (fraction === undefined && text[end] === ".") throw new Refused("json_malformed", end + 1);
    if (/[eE]/.test(text[end] ?? ""))
      throw new Refused("json_malformed", end + (/[+-]/.test(text[end + 1] ?? "") ? 2 : 1));
  }
  const value = Number(literal);
  const canonical = value === 0 ? "0" : String(value);
  const isInteger = fraction === undefined && exponent === undefined;
  const mantissa = literal.split(/[eE]/)[0] ?? "";
  const isLossy =
    !Number.isFinite(value) ||
    (value === 0 && /[1-9]/.test(mantissa)) ||
    (isInteger && literal !== canonical && BigInt(literal) !== BigInt(value));
  if (isLossy) throw new Refused("lossy_number", at);
  return { canonical, value: value === 0 ? 0 : value, end };
}

/** RFC 8785 section 3.2.3: names compare as arrays of UTF-16 code units. */
function compareUnits(a: string, b: string): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = a.charCodeAt(i) - b.charCodeAt(i);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Returns bytes, one character each, as text. */
function toText(characters: string): string {
  return Buffer.from(characters, "latin1").toString("utf8");
}

function utf8(codePoint: number): string {
  return Buffer.from(String.fromCodePoint(codePoint), "utf8").toString("latin1");
}

function skipSpace(text: string, at: number): number {
  return at + lengthAt(SPACE, text, at);
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

/**
 * Returns the answer of JSON.parse, with -0 as 0; undefined if it refuses. V8 13 and 14 can take a name with an escape
 * for another one that they have met before (nodejs/node#63785): such a text is parsed naively.
 */
export function lenientJson(text: string): unknown {
  const naive = naiveJson(Buffer.from(text));
  if (naive.ok && /\\.(?:[^"\\]|\\.)*"\s*:/s.test(text)) return naive.value;
  try {
    return JSON.parse(text, (_, value) => (value === 0 ? 0 : value));
  } catch {
    return undefined;
  }
}
