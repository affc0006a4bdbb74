/**
 * Edits that only the text shows: a member name twice, a text that is not the JSON of protocol section 2, and the same
 * value in another spelling. A parser that is laxer than the protocol accepts many of the first two.
 */
import { concatBytes } from "../encoding/bytes.ts";
import { encodeUtf8 } from "../encoding/utf8.ts";
import type { Json, JsonErrorCode, JsonObject } from "../kernel/kernel.ts";
import { pointerTo } from "../schema/pointer.ts";
import type { MutantClass } from "./mutant.ts";
import { isObject, places } from "./places.ts";

/**
 * A text in the place of the good one's, and the code with which it must be refused; null for a text of the same value.
 */
export interface TextEdit {
  readonly class: MutantClass;
  /** JSON Pointer (RFC 6901). */
  readonly path: string;
  readonly description: string;
  /** Writes the text. */
  bytes(): Uint8Array;
  readonly code: JsonErrorCode | null;
}

/** Stands for something that no value can hold, until the text is written. */
const HOLE = "\u0000hole\u0000";
const HOLE_TEXT = JSON.stringify(HOLE);

/** Forms that no number of an accepted text may have, and the code of each. */
const NUMBERS: readonly (readonly [string, JsonErrorCode])[] = [
  ["1e400", "lossy_number"],
  ["9007199254740993", "lossy_number"],
  ["01", "json_malformed"],
];

/**
 * Yields a text for each member, with its name twice: the second time with another value, and with the same value under
 * a name written in escapes.
 */
export function* duplicated(root: Json): Generator<TextEdit> {
  for (const { path, value, replaced } of places(root)) {
    if (!isObject(value)) continue;
    for (const [name, member] of Object.entries(value)) {
      const at = { class: "duplicated", path: pointerTo(path, name), code: "duplicate_name" } as const;
      const again = (second: Json, spelling: string) =>
        encodeUtf8(JSON.stringify(replaced({ ...value, [HOLE]: second })).replace(HOLE_TEXT, () => spelling));
      const other = member === null ? 0 : null;
      yield {
        ...at,
        description: "there twice, the second time with another value",
        bytes: () => again(other, JSON.stringify(name)),
      };
      yield {
        ...at,
        description: "there twice, the second time in escapes",
        bytes: () => again(member, escaped(name)),
      };
    }
  }
}

/** Yields texts that are not the JSON of the protocol: as a whole, and in each number and text. */
export function* misencoded(root: Json): Generator<TextEdit> {
  const text = JSON.stringify(root);
  for (const [description, bytes, code] of wholes(text))
    yield { class: "misencoded", path: "", description, bytes: () => bytes, code };
  for (const { path, value, replaced } of places(root)) {
    const raws: readonly (readonly [string, JsonErrorCode])[] =
      typeof value === "number"
        ? NUMBERS
        : typeof value === "string"
          ? [[`${JSON.stringify(value).slice(0, -1)}\\ud800"`, "invalid_unicode"]]
          : [];
    for (const [raw, code] of raws) {
      const bytes = () => encodeUtf8(JSON.stringify(replaced(HOLE)).replace(HOLE_TEXT, () => raw));
      yield { class: "misencoded", path, description: `written ${raw.slice(0, 100)}`, bytes, code };
    }
  }
}

function wholes(text: string): (readonly [string, Uint8Array, JsonErrorCode])[] {
  const bytes = encodeUtf8(text);
  const deep = `${"[".repeat(64)}${"]".repeat(64)}`;
  return [
    ["empty", new Uint8Array(), "json_malformed"],
    ["cut by one byte", bytes.subarray(0, -1), "json_malformed"],
    ["cut in the middle", bytes.subarray(0, Math.floor(bytes.length / 2)), "json_malformed"],
    ["behind a byte-order mark", concatBytes([Uint8Array.of(0xef, 0xbb, 0xbf), bytes]), "json_malformed"],
    ["before a byte of zero", concatBytes([bytes, Uint8Array.of(0)]), "json_malformed"],
    ["before a byte that is no UTF-8", concatBytes([bytes, Uint8Array.of(0xff)]), "invalid_unicode"],
    ["there twice", encodeUtf8(text + text), "json_malformed"],
    ["before a comma", encodeUtf8(`${text},`), "json_malformed"],
    ["behind a comment", encodeUtf8(`/**/${text}`), "json_malformed"],
    ["with a comma before its end", encodeUtf8(text.replace(/[\]}]$/, ",$&")), "json_malformed"],
    ["with a member that nests too deep", encodeUtf8(text.replace(/^\{/, `{"additional":${deep},`)), "too_deep"],
  ];
}

/** One spelling of a text. */
interface Spelling {
  readonly description: string;
  readonly newline: string;
  readonly gap: string;
  readonly names: (names: readonly string[]) => readonly string[];
  readonly text: (text: string) => string;
  readonly number: (value: number) => string;
}

const PLAIN: Spelling = {
  description: "written plainly",
  newline: "",
  gap: "",
  names: (names) => names,
  text: (text) => JSON.stringify(text),
  number: (value) => JSON.stringify(value),
};

const SPELLINGS: readonly Spelling[] = [
  { ...PLAIN, description: "written in lines", newline: "\n", gap: "  " },
  { ...PLAIN, description: "written in lines of another system", newline: "\r\n", gap: "\t" },
  { ...PLAIN, description: "written with its members in another order", names: (names) => names.toReversed() },
  { ...PLAIN, description: "written in escapes", text: escaped },
  { ...PLAIN, description: "written with fractions", number: withFraction },
  { ...PLAIN, description: "written with exponents", number: withExponent },
];

/** Yields the same value in other texts. */
export function* respelled(root: Json): Generator<TextEdit> {
  for (const spelling of SPELLINGS) {
    const { description, newline } = spelling;
    const bytes = () => encodeUtf8(`${newline}${write(root, spelling, newline)}${newline}`);
    yield { class: "respelled", path: "", description, bytes, code: null };
  }
}

function write(value: Json, spelling: Spelling, newline: string): string {
  if (typeof value === "string") return spelling.text(value);
  if (typeof value === "number") return spelling.number(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = newline + spelling.gap;
  const items = Array.isArray(value)
    ? value.map((item) => write(item, spelling, inner))
    : writeMembers(value as JsonObject, spelling, inner);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return items.length === 0
    ? `${open}${newline}${close}`
    : `${open}${inner}${items.join(`,${inner}`)}${newline}${close}`;
}

function writeMembers(object: JsonObject, spelling: Spelling, newline: string): string[] {
  return spelling
    .names(Object.keys(object))
    .map((name) => `${spelling.text(name)}:${spelling.gap}${write(object[name] ?? null, spelling, newline)}`);
}

/** Returns a text with every UTF-16 unit in an escape. */
function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, "0"));
  return `"${units.map((unit) => `\\u${unit}`).join("")}"`;
}

function withFraction(value: number): string {
  const text = JSON.stringify(value);
  return Number.isInteger(value) && !text.includes("e") ? `${text}.0` : text;
}

/** Zero becomes negative zero, which is the same value to RFC 8785. */
function withExponent(value: number): string {
  const text = JSON.stringify(value);
  return value === 0 ? "-0" : text.includes("e") ? text : `${text}E+0`;
}
