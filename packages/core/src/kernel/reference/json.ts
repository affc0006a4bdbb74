/**
 * The strict JSON parser of protocol section 2, from bytes to a value, in linear time. It reports one error and its
 * place. It does NOT know protocol objects: other code checks closed members, integer ranges and the nesting of
 * payloads.
 */

import { parseUtf8 } from "../../encoding/utf8.ts";
import { MAX_NESTING } from "../json-value.ts";
import type { Json, JsonErrorCode, ParsedJson } from "../kernel.ts";
import { hexDigit, isLowSurrogateEscape, isShortEscape, unescapeJsonString } from "./json-escapes.ts";
import { isLossy } from "./json-numbers.ts";
import { findIllFormedUtf8 } from "./utf8-scan.ts";

/**
 * Parses exactly the JSON that protocol section 2 accepts, from bytes of any length. `-0` becomes 0. Objects are plain
 * objects in which every member is own, also one named `__proto__`. Never throws because of the bytes.
 *
 * Ill-formed UTF-8 anywhere comes first, then the first error in text order. `offset` counts bytes from 0:
 * - `invalid_unicode`: the first byte of the ill-formed sequence; or the backslash of a lone surrogate escape. An
 *   escape of U+DC00..DFFF is lone unless an escape of U+D800..DBFF stands directly before it; an escape of
 *   U+D800..DBFF is lone unless a complete escape of U+DC00..DFFF directly follows it.
 * - `json_malformed`: the first byte that no JSON text with the same bytes before it could have there; the number of
 *   bytes if the text ends too early. So it is 0 for a byte-order mark.
 * - `duplicate_name`: the opening quote of the second name; known as soon as that name is complete.
 * - `lossy_number`: the first byte of the literal, a minus sign included; known as soon as the literal is complete.
 * - `too_deep`: the bracket that opens the 65th level.
 */
export function parseJson(bytes: Uint8Array): ParsedJson {
  const illFormedAt = findIllFormedUtf8(bytes);
  if (illFormedAt !== -1) return { ok: false, code: "invalid_unicode", offset: illFormedAt };
  try {
    return { ok: true, value: new Parser(bytes).document() };
  } catch (error) {
    if (error instanceof Problem) return { ok: false, code: error.code, offset: error.offset };
    throw error;
  }
}

class Problem extends Error {
  readonly code: JsonErrorCode;
  readonly offset: number;

  constructor(code: JsonErrorCode, offset: number) {
    super(`${code} at byte ${offset}`);
    this.code = code;
    this.offset = offset;
  }
}

const END = -1;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** Recursive descent over bytes that are well-formed UTF-8; the nesting limit bounds the recursion. */
class Parser {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  document(): Json {
    const value = this.value(0);
    this.skipWhiteSpace();
    if (this.peek() !== END) throw this.malformed();
    return value;
  }

  /** Reads white space and a value inside `depth` open brackets. */
  private value(depth: number): Json {
    this.skipWhiteSpace();
    const byte = this.peek();
    if (byte === QUOTE) return this.string();
    if (byte === 0x7b) return this.object(depth + 1);
    if (byte === 0x5b) return this.array(depth + 1);
    if (byte === 0x74) return this.literal("true", true);
    if (byte === 0x66) return this.literal("false", false);
    if (byte === 0x6e) return this.literal("null", null);
    return this.number();
  }

  private object(depth: number): Json {
    this.open(depth);
    const members: Record<string, Json> = {};
    if (this.takeIf(0x7d)) return members;
    do {
      this.skipWhiteSpace();
      const nameAt = this.at;
      if (this.peek() !== QUOTE) throw this.malformed();
      const name = this.string();
      if (Object.hasOwn(members, name)) throw new Problem("duplicate_name", nameAt);
      this.skipWhiteSpace();
      this.take(COLON);
      const value = this.value(depth);
      if (name === "__proto__") {
        // An assignment would call the setter of Object.prototype.
        Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true });
      } else {
        members[name] = value;
      }
      this.skipWhiteSpace();
    } while (this.takeIf(COMMA));
    this.take(0x7d);
    return members;
  }

  private array(depth: number): Json {
    this.open(depth);
    const elements: Json[] = [];
    if (this.takeIf(0x5d)) return elements;
    do {
      elements.push(this.value(depth));
      this.skipWhiteSpace();
    } while (this.takeIf(COMMA));
    this.take(0x5d);
    return elements;
  }

  private open(depth: number): void {
    if (depth > MAX_NESTING) throw new Problem("too_deep", this.at);
    this.at++;
    this.skipWhiteSpace();
  }

  private literal<T>(text: string, value: T): T {
    for (let i = 0; i < text.length; i++) this.take(text.charCodeAt(i));
    return value;
  }

  private number(): number {
    const start = this.at;
    this.takeIf(MINUS);
    if (!this.takeIf(0x30)) this.digits();
    let isInteger = true;
    if (this.takeIf(0x2e)) {
      isInteger = false;
      this.digits();
    }
    if (this.takeIf(0x65) || this.takeIf(0x45)) {
      isInteger = false;
      if (!this.takeIf(0x2b)) this.takeIf(MINUS);
      this.digits();
    }
    const literal = this.decode(this.bytes.subarray(start, this.at));
    const value = Number(literal);
    if (isLossy(literal, isInteger, value)) throw new Problem("lossy_number", start);
    return value === 0 ? 0 : value;
  }

  private digits(): void {
    if (!isDigit(this.peek())) throw this.malformed();
    while (isDigit(this.peek())) this.at++;
  }

  private string(): string {
    const start = ++this.at;
    let hasEscapes = false;
    for (let byte = this.peek(); byte !== QUOTE; byte = this.peek()) {
      if (byte < 0x20) throw this.malformed();
      if (byte === BACKSLASH) {
        hasEscapes = true;
        this.escape();
      } else {
        this.at++;
      }
    }
    const raw = this.bytes.subarray(start, this.at++);
    return this.decode(hasEscapes ? unescapeJsonString(raw) : raw);
  }

  /** Checks one escape, or the two of a surrogate pair, and moves behind it. */
  private escape(): void {
    const start = this.at++;
    if (this.takeIf(LETTER_U)) {
      const unit = this.codeUnit();
      if (unit < 0xd800 || unit > 0xdfff) return;
      if (unit > 0xdbff || !isLowSurrogateEscape(this.bytes, this.at)) throw new Problem("invalid_unicode", start);
      this.at += 6;
    } else {
      if (!isShortEscape(this.peek())) throw this.malformed();
      this.at++;
    }
  }

  private codeUnit(): number {
    let unit = 0;
    for (let i = 0; i < 4; i++) {
      const digit = hexDigit(this.peek());
      if (digit < 0) throw this.malformed();
      unit = unit * 16 + digit;
      this.at++;
    }
    return unit;
  }

  /** Returns the text of bytes that are known to be well-formed. */
  private decode(bytes: Uint8Array): string {
    const text = parseUtf8(bytes);
    // Only a single string of more than 2^29 characters comes here: the environment fails, not the bytes.
    if (text === null) throw new RangeError("a JSON string is longer than this runtime's longest string");
    return text;
  }

  private skipWhiteSpace(): void {
    for (;;) {
      const byte = this.peek();
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.at++;
    }
  }

  /** Returns the current byte; END behind the last one. */
  private peek(): number {
    return this.bytes[this.at] ?? END;
  }

  private take(byte: number): void {
    if (!this.takeIf(byte)) throw this.malformed();
  }

  private takeIf(byte: number): boolean {
    if (this.bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  private malformed(): Problem {
    return new Problem("json_malformed", this.at);
  }
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
