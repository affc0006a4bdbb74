/**
 * Columns of literals, one in a line, as a kernel returns them for many records. Their forms are checked without a
 * string for each.
 */
import { parseUtf8 } from "../../encoding/utf8.ts";
import { formats } from "../../schema/formats.ts";

/**
 * A column of string literals. An escape does not match in a text that the protocol limits to other characters, and
 * must not.
 */
export class Lines {
  /** The literals as they stand, each with a newline behind it. */
  readonly bytes: Uint8Array;
  readonly count: number;
  #decoded: string | null = null;
  #texts: readonly string[] | null = null;

  constructor(bytes: Uint8Array, count: number) {
    this.bytes = bytes;
    this.count = count;
  }

  get #text(): string {
    this.#decoded ??= parseUtf8(this.bytes) ?? "";
    return this.#decoded;
  }

  /** Says whether every value is this text. */
  areAll(text: string): boolean {
    return this.#text === `${JSON.stringify(text)}\n`.repeat(this.count);
  }

  /** Says whether the values are the integers from this one on. */
  countFrom(first: number): boolean {
    const expected = Array.from({ length: this.count }, (_, row) => first + row);
    return this.#text === `${expected.join("\n")}\n`;
  }

  /** The first literal as it stands. */
  get firstLiteral(): string {
    return this.#text.slice(0, this.#text.indexOf("\n"));
  }

  /** The last literal as it stands. */
  get lastLiteral(): string {
    const end = this.#text.length - 1;
    return this.#text.slice(this.#text.lastIndexOf("\n", end - 1) + 1, end);
  }

  /** Says whether every value has the form of a schema of texts with a pattern. */
  haveFormOf(schema: unknown): boolean {
    const { pattern } = schema as { readonly pattern: string };
    const text = this.#text;
    const line = new RegExp(`"${pattern.slice(1, -1)}"\n`, "y");
    for (let row = 0; row < this.count; row++) if (!line.test(text)) return false;
    return line.lastIndex === text.length;
  }

  /** Says whether every value has a format. */
  areOf(format: string): boolean {
    const isOf = formats[format] ?? (() => false);
    const texts = this.texts();
    return texts?.every((text, row) => text === texts[row - 1] || isOf(text)) === true;
  }

  /** Returns the values; null if one of them is no text. */
  texts(): readonly string[] | null {
    this.#texts ??= textsOf(this.#text, this.count);
    return this.#texts;
  }
}

/**
 * Returns the values of string literals, which are in a text with a newline behind each; null if one of them is no
 * literal.
 */
function textsOf(text: string, count: number): string[] | null {
  const hasEscapes = text.includes("\\");
  const texts: string[] = [];
  for (let start = 0; texts.length < count; ) {
    const end = text.indexOf("\n", start);
    if (end < 0 || text[start] !== '"') return null;
    texts.push(hasEscapes ? (JSON.parse(text.slice(start, end)) as string) : text.slice(start + 1, end - 1));
    start = end + 1;
  }
  return texts;
}
