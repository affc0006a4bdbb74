/**
 * Level 1: `json.canonical`. The naive parser of packages/testkit, transcribed from RFC 8259, RFC 3629 and RFC 8785,
 * says what is right; where a table below states the answer, that must be the same.
 */
import assert from "node:assert/strict";
import type { JsonObject } from "@svc/core";
import { naiveJson } from "@svc/testkit/oracles/naive-json";
import { base64, type Draft } from "./draft.ts";
import { Draws } from "./draws.ts";
import { ACCEPTED_NUMBERS, LOSSY_NUMBERS, NO_NUMBERS, NUMBER_TEXTS } from "./json-numbers.ts";
import { NAMES, ORDER_OF_ERRORS, STRINGS, STRUCTURE, UTF8 } from "./json-texts.ts";
import { randomSpelling, randomValue } from "./json-values.ts";

/** Returns all cases of the family. */
export function jsonDrafts(): Draft[] {
  return [
    ...numbers(),
    ...listed("string", STRINGS),
    ...listed("utf8", UTF8),
    ...listed("name", NAMES),
    ...listed("structure", STRUCTURE),
    ...listed("order", ORDER_OF_ERRORS),
    ...depths(),
    ...truncations(),
    ...soups(),
  ];
}

function draft(slug: string, text: string | Uint8Array, stated?: JsonObject): Draft {
  const right = naiveAnswer(Buffer.from(text as string));
  if (stated !== undefined) assert.deepEqual(right, stated, slug);
  return { name: `json/${slug}`, request: { op: "json.canonical", bytes: base64(text) }, expected: right };
}

/** Returns the answer of the naive parser to `json.canonical`. */
export function naiveAnswer(bytes: Uint8Array): JsonObject {
  const read = naiveJson(bytes);
  if (!read.ok) return { ok: false, code: read.code, offset: read.offset };
  return { ok: true, canonical: Buffer.from(read.canonicalHex, "hex").toString("base64") };
}

function listed(family: string, texts: Readonly<Record<string, string | Uint8Array>>): Draft[] {
  return Object.entries(texts).map(([slug, text]) => draft(`${family}-${slug}`, text));
}

function numbers(): Draft[] {
  const canonical = (text: string) => ({ ok: true, canonical: base64(text) });
  return [
    ...Object.entries(ACCEPTED_NUMBERS).map(([slug, [literal, written]]) =>
      draft(`number-${slug}`, literal, canonical(written)),
    ),
    ...Object.entries(LOSSY_NUMBERS).map(([slug, literal]) =>
      draft(`lossy-${slug}`, `[${literal}]`, { ok: false, code: "lossy_number", offset: 1 }),
    ),
    ...Object.entries(NO_NUMBERS).map(([slug, [literal, offset]]) =>
      draft(`no-number-${slug}`, literal, { ok: false, code: "json_malformed", offset }),
    ),
    ...listed("number", NUMBER_TEXTS),
  ];
}

function depths(): Draft[] {
  const nested = (open: string, close: string, depth: number, inside = "") =>
    `${open.repeat(depth)}${inside}${close.repeat(depth)}`;
  const deep = { ok: false, code: "too_deep" };
  return [
    ...[1, 63, 64].map((depth) => draft(`depth-arrays-${depth}`, nested("[", "]", depth))),
    ...[65, 66, 500].map((depth) => draft(`depth-arrays-${depth}`, nested("[", "]", depth), { ...deep, offset: 64 })),
    ...[1, 63, 64].map((depth) => draft(`depth-objects-${depth}`, nested('{"a":', "}", depth, "0"))),
    ...[65, 66].map((depth) =>
      draft(`depth-objects-${depth}`, nested('{"a":', "}", depth, "0"), { ...deep, offset: 320 }),
    ),
    draft("depth-mixed-64", nested('[{"a":', "}]", 32, "1")),
    draft("depth-mixed-65", nested('[{"a":', "}]", 32, "[]"), { ...deep, offset: 192 }),
    draft("depth-siblings", `[${Array.from({ length: 80 }, () => "[]").join()}]`),
    draft("depth-back-and-forth", `[${nested("[", "]", 63)},${nested("[", "]", 63)},${nested("[", "]", 64)}]`),
    draft("depth-unclosed-64", "[".repeat(64), { ok: false, code: "json_malformed", offset: 64 }),
    draft("depth-unclosed-65", "[".repeat(65), { ...deep, offset: 64 }),
    draft("depth-brackets-in-string", `[${JSON.stringify("[".repeat(100))}]`),
  ];
}

const SMALL = '{"a":[-1.5e+3,true,null,"\\u00e9\\ud83d\\ude00\\n"],"b":{}}';

/** Cuts a small text at each place, and puts a byte in at each place. */
function truncations(): Draft[] {
  const bytes = Buffer.from(SMALL);
  const cut = Array.from({ length: bytes.length }, (_, length) =>
    draft(`cut-${length}`, new Uint8Array(bytes.subarray(0, length))),
  );
  const draws = new Draws("json put in");
  const put = Array.from({ length: bytes.length }, (_, at) => {
    const piece = draws.pick([",", "}", "]", '"', "0", ":", "\\", " ", "\u0001", "x"]);
    return draft(`put-in-${at}`, `${SMALL.slice(0, at)}${piece}${SMALL.slice(at)}`);
  });
  return [...cut, ...put];
}

/** Random values in random spellings, and the same texts with one piece damaged. */
function soups(): Draft[] {
  const draws = new Draws("json soups");
  return Array.from({ length: 60 }, (_, index) => {
    const text = randomSpelling(randomValue(draws, 3), draws);
    const bytes = new Uint8Array(Buffer.from(text));
    const at = draws.below(bytes.length);
    bytes[at] = draws.pick([0x22, 0x2c, 0x5c, 0x7d, 0x80, 0xff, 0x00, 0x31]);
    return [draft(`spelled-${index}`, text), draft(`damaged-${index}`, bytes)];
  }).flat();
}
