/**
 * Random edits of bytes and of JSON values, with parts of the corpus in the place of others. never-throws-inputs.ts
 * makes inputs of them.
 */
import type { Json, JsonObject } from "../src/index.ts";
import { isObject, without } from "../src/tamper/places.ts";
import { otherTypes, otherValues } from "../src/tamper/values.ts";
import type { Corpus } from "./never-throws-corpus.ts";
import type { Random } from "./never-throws-random.ts";

const MAX_EDITS = 4;

/** Tokens that trip parsers of JSON, of text and of numbers. */
const TOKENS: readonly string[] = [
  ...'{}[]:,"\\0-',
  "null",
  "true",
  "1e999",
  "-0",
  "1E-400",
  "9007199254740993",
  "\\u0000",
  "\\ud800",
  '"__proto__":',
  "\ufeff",
  "\u0000",
  "\n\n— ",
  "[".repeat(70),
  '{"a":'.repeat(70),
];
const ODD_VALUES: readonly Json[] = [
  null,
  true,
  "",
  0,
  -1,
  0.5,
  2 ** 53,
  Number.MAX_SAFE_INTEGER,
  1e308,
  [],
  {},
  "__proto__",
  "\u0000",
  "\ud800",
  "\u202e",
  "a".repeat(3000),
  Array.from({ length: 300 }, () => 0),
];

/** Returns the bytes with a few edits. */
export function editedBytesOften(random: Random, corpus: Corpus, bytes: Uint8Array): Uint8Array {
  let changed = bytes;
  for (let edits = editCount(random); edits > 0; edits--) changed = editedBytes(random, corpus, changed);
  return changed;
}

/** Returns the bytes with one edit. */
export function editedBytes(random: Random, corpus: Corpus, bytes: Uint8Array): Uint8Array {
  const [from, to] = [random.below(bytes.length + 1), random.below(bytes.length + 1)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  const joined = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
  const [before, middle, after] = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)];
  const short = middle.subarray(0, 1 + random.below(40));
  // Truncated; a piece gone, or repeated; a token inserted; the rest of another one; a range gone; a byte changed; a
  // bit flipped.
  switch (random.below(8)) {
    case 0:
      return bytes.subarray(0, to);
    case 1:
      return joined(before, bytes.subarray(Math.min(from + short.length, bytes.length)));
    case 2:
      return joined(before, short, bytes.subarray(from));
    case 3:
      return joined(before, new TextEncoder().encode(random.pick(TOKENS)), bytes.subarray(from));
    case 4:
      return joined(before, random.pick(corpus.seeds).bytes.subarray(from));
    case 5:
      return joined(before, after);
    case 6:
      return from < bytes.length ? bytes.with(from, random.below(256)) : bytes;
    default:
      return from < bytes.length ? bytes.with(from, (bytes[from] ?? 0) ^ (1 << random.below(8))) : bytes;
  }
}

/** Mostly one: with each further edit it is likelier that the first fault hides all others. */
function editCount(random: Random): number {
  return random.chance(2, 3) ? 1 : 1 + random.below(MAX_EDITS);
}

/** Returns the value with a few edits. */
export function editedOften(random: Random, corpus: Corpus, value: Json): Json {
  let changed = value;
  for (let edits = editCount(random); edits > 0; edits--) changed = edited(random, corpus, changed, "");
  return changed;
}

/** Returns the value with one edit, mostly deep inside it. `name`: of its member. */
function edited(random: Random, corpus: Corpus, value: Json, name: string): Json {
  if (random.chance(1, 25)) return replacement(random, corpus, value, name);
  if (Array.isArray(value) && value.length > 0) {
    if (random.chance(1, 10)) return editedArray(random, value);
    const at = random.below(value.length);
    return value.with(at, edited(random, corpus, value[at] ?? null, name)) as Json;
  }
  if (isObject(value) && Object.keys(value).length > 0) {
    if (random.chance(1, 15)) return editedObject(random, corpus, value);
    const own = random.pick(Object.keys(value));
    return { ...value, [own]: edited(random, corpus, value[own] ?? null, own) };
  }
  return replacement(random, corpus, value, name);
}

/** Returns another value in the place of one, mostly one under that name elsewhere, which has the right form. */
function replacement(random: Random, corpus: Corpus, value: Json, name: string): Json {
  const alike = corpus.parts.get(name) ?? [];
  const choice = random.below(10);
  if (choice < 6 && alike.length > 0) return random.pick(alike);
  if (choice < 8 && typeof value === "string")
    return random.chance(1, 3) ? mangled(random, value) : random.pick(otherValues(value));
  if (choice < 8 && typeof value === "number") return random.pick(otherValues(value));
  if (choice === 8) return random.pick(otherTypes(value));
  return random.chance(1, 2) ? random.pick(ODD_VALUES) : anyPart(random, corpus);
}

/** Returns a text with a piece gone or repeated, or with something inserted. */
function mangled(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const length = random.below(20);
  const piece = random.chance(1, 2) ? random.pick(TOKENS) : text.slice(at, at + length);
  return random.chance(1, 2) ? text.slice(0, at) + text.slice(at + length) : text.slice(0, at) + piece + text.slice(at);
}

function editedArray(random: Random, items: readonly Json[]): Json {
  const at = random.below(items.length);
  switch (random.below(4)) {
    case 0:
      return items.toSpliced(at, 1);
    case 1:
      return items.toSpliced(at, 0, ...Array.from({ length: 1 + random.below(3) }, () => items[at] ?? null));
    case 2:
      return items.toReversed();
    default:
      return items.slice(at);
  }
}

function editedObject(random: Random, corpus: Corpus, object: JsonObject): Json {
  const name = random.pick(Object.keys(object));
  const other = random.pick(corpus.names);
  switch (random.below(4)) {
    case 0:
      return without(object, name);
    case 1:
      return { ...without(object, name), [other]: object[name] ?? null };
    case 2:
      return { ...object, [other]: random.pick(corpus.parts.get(other) ?? ODD_VALUES) ?? null };
    default:
      return { ...object, [name]: object[random.pick(Object.keys(object))] ?? null };
  }
}

function anyPart(random: Random, { names, parts }: Corpus): Json {
  const some = parts.get(random.pick(names)) ?? [];
  return some.length > 0 ? random.pick(some) : null;
}
