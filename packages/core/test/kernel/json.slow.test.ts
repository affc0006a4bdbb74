/** The places of the strict parser's errors, their order, and big inputs of one kind (protocol section 2). */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonErrorCode } from "../../src/kernel/kernel.ts";
import { kernels } from "./kernels.ts";

type Refused = readonly [input: string | readonly number[], code: JsonErrorCode, offset: number];

const REFUSED: readonly Refused[] = [
  // Ill-formed UTF-8: the first byte of the sequence, before every other error.
  [[0x22, 0xff, 0x22], "invalid_unicode", 1],
  [[0x22, 0xe2, 0x82, 0x22], "invalid_unicode", 1],
  [[0x22, 0xc3, 0xa9, 0xf0, 0x9f, 0x98], "invalid_unicode", 3],
  [[0x22, 0xed, 0xa0, 0x80, 0x22], "invalid_unicode", 1],
  [[0x22, 0x61, 0x80, 0x22], "invalid_unicode", 2],
  [[0x5b, 0x2c, 0x22, 0xc0, 0xaf, 0x22], "invalid_unicode", 3],
  [[0xef, 0xbb, 0xbf, 0x22, 0xff, 0x22], "invalid_unicode", 4],
  // Lone surrogate escapes: the backslash of the escape.
  ['"\\ud800"', "invalid_unicode", 1],
  ['"a\\udc00"', "invalid_unicode", 2],
  ['"\\ud83d\\ude00\\ud83d"', "invalid_unicode", 13],
  ['"\\ud800\\ud800\\udc00"', "invalid_unicode", 1],
  ['"\\ud800\\u0061"', "invalid_unicode", 1],
  ['"\\ud800\\n"', "invalid_unicode", 1],
  ['"\\ud800\\udc0', "invalid_unicode", 1],
  ['"\\ud800\\udc0g"', "invalid_unicode", 1],
  ['"\\ud800', "invalid_unicode", 1],
  ['"\\ud800\n"', "invalid_unicode", 1],
  ['{"\\udfff":1}', "invalid_unicode", 2],
  ['["é\\ud800"]', "invalid_unicode", 4],
  // Malformed: the first byte that cannot be there, or the end.
  ["\ufeff{}", "json_malformed", 0],
  ["", "json_malformed", 0],
  [" \n", "json_malformed", 2],
  ["{} {}", "json_malformed", 3],
  ["[1,]", "json_malformed", 3],
  ['{"a":1,}', "json_malformed", 7],
  ['{"a"1}', "json_malformed", 4],
  ['{"a":}', "json_malformed", 5],
  ["{,}", "json_malformed", 1],
  ['{"a":1', "json_malformed", 6],
  ["[1}", "json_malformed", 2],
  ["[1 2]", "json_malformed", 3],
  ["trve", "json_malformed", 2],
  ["tru", "json_malformed", 3],
  ["truee", "json_malformed", 4],
  ["nul", "json_malformed", 3],
  ["01", "json_malformed", 1],
  ["-", "json_malformed", 1],
  ["-a", "json_malformed", 1],
  ["+1", "json_malformed", 0],
  ["1.", "json_malformed", 2],
  ["1.e3", "json_malformed", 2],
  ["[1e+]", "json_malformed", 4],
  ["[1e]", "json_malformed", 3],
  ["1.5.5", "json_malformed", 3],
  ["é", "json_malformed", 0],
  ['"a\nb"', "json_malformed", 2],
  ['"é\u0000"', "json_malformed", 3],
  ['"abc', "json_malformed", 4],
  ['"\\', "json_malformed", 2],
  ['"\\x"', "json_malformed", 2],
  ['"\\u00g0"', "json_malformed", 5],
  ['"\\u12', "json_malformed", 5],
  ['"\\ud8"', "json_malformed", 5],
  ["[\u00a01]", "json_malformed", 1],
  // A second name: its opening quote.
  ['{"a":1,"a":2}', "duplicate_name", 7],
  ['{"a":1, "\\u0061"', "duplicate_name", 8],
  ['{"é":1,"b":2,"é":3}', "duplicate_name", 14],
  ['{"__proto__":1,"__proto__":2}', "duplicate_name", 15],
  ['{"1":1,"01":2,"1":3}', "duplicate_name", 14],
  // Numbers: the first byte of the literal.
  ["[9007199254740993]", "lossy_number", 1],
  ["[0,-9007199254740993]", "lossy_number", 3],
  ["-1e400", "lossy_number", 0],
  ["1e-400", "lossy_number", 0],
  ["0.0e1,", "json_malformed", 5],
  // The bracket that opens level 65.
  ["[".repeat(65), "too_deep", 64],
  [`${" ".repeat(3)}${'{"a":'.repeat(64)}[`, "too_deep", 323],
  // The first in text order.
  ["[1e400,]", "lossy_number", 1],
  ["[,1e400]", "json_malformed", 1],
  ["[1e400.5]", "lossy_number", 1],
  ["[9007199254740993.]", "json_malformed", 18],
  ['{"a":1e400,"a":1}', "lossy_number", 5],
  ['{"a":1,"a":1e400}', "duplicate_name", 7],
  ['{"a":1,"a" 1}', "duplicate_name", 7],
  ['{"a":1,"a', "json_malformed", 9],
  [`${"[".repeat(64)}1e400,[`, "lossy_number", 64],
];

/**
 * Inputs that would take for ever to read, or overflow the stack, if any step were quadratic or recursive without
 * limit.
 */
const BIG: readonly (readonly [string, () => string, (value: Json) => boolean])[] = [
  ["a string of 50 MB", () => `"${"a".repeat(50e6)}"`, (value) => (value as string).length === 50e6],
  ["a string of escapes", () => `"${"\\n".repeat(5e6)}"`, (value) => (value as string).length === 5e6],
  ["a string of pairs", () => `"${"\\ud83d\\ude00".repeat(1e6)}"`, (value) => (value as string).length === 2e6],
  [
    "a million names",
    () => `{${fill(1e6, (i) => `"n${i}":0`)}}`,
    (value) => Object.keys(value as object).length === 1e6,
  ],
  ["a million numeric names", () => `{${fill(1e6, (i) => `"${i}":0`)}}`, (value) => (value as Json[])[999999] === 0],
  ["a million elements", () => `[${fill(1e6, (i) => `${i}`)}]`, (value) => (value as Json[]).length === 1e6],
  ["a million arrays", () => `[${fill(1e6, () => "[]")}]`, (value) => (value as Json[]).length === 1e6],
  ["10 MB of fraction digits", () => `0.${"3".repeat(1e7)}`, (value) => value === 1 / 3],
  ["10 MB of white space", () => `[${" ".repeat(1e7)}]`, (value) => (value as Json[]).length === 0],
];

const BIG_REFUSED: readonly (readonly [string, () => string, JsonErrorCode, number])[] = [
  ["10 MB of brackets", () => "[".repeat(1e7), "too_deep", 64],
  ["10 MB of braces", () => '{"a":'.repeat(2e6), "too_deep", 320],
  ["10 MB of digits", () => "7".repeat(1e7), "lossy_number", 0],
  ["10 MB of zeros before a digit", () => `0.${"0".repeat(1e7)}1`, "lossy_number", 0],
  ["an open string of 10 MB", () => `"${"a".repeat(1e7)}`, "json_malformed", 10000001],
  ["a million names, one twice", () => `{${fill(1e6, (i) => `"n${i % 999999}":0`)}}`, "duplicate_name", 11888879],
];

function fill(count: number, element: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => element(i)).join();
}

for (const kernel of kernels) {
  test(`${kernel.name}: each error has its code and offset`, () => {
    for (const [input, code, offset] of REFUSED) {
      const bytes = typeof input === "string" ? new TextEncoder().encode(input) : Uint8Array.from(input);
      assert.deepEqual(kernel.parseJson(bytes), { ok: false, code, offset }, JSON.stringify(input));
    }
  });

  test(`${kernel.name}: every name is an own member of a plain object`, () => {
    const parsed = kernel.parseJson(new TextEncoder().encode('{"__proto__":{"a":1},"constructor":2,"":3}'));
    assert.ok(parsed.ok);
    const value = parsed.value as { readonly [name: string]: Json };
    assert.deepEqual(Object.keys(value), ["__proto__", "constructor", ""]);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.deepEqual(Object.getOwnPropertyDescriptor(value, "__proto__")?.value, { a: 1 });
    assert.equal("a" in value, false);
  });

  test(`${kernel.name}: reads a part of a larger buffer`, () => {
    const bytes = new TextEncoder().encode('xx["a\\u00e9"]xx').subarray(2, -2);
    assert.deepEqual(kernel.parseJson(bytes), { ok: true, value: ["aé"] });
  });

  for (const [name, input, isRight] of BIG) {
    test(`${kernel.name}: reads ${name}`, () => {
      const parsed = kernel.parseJson(new TextEncoder().encode(input()));
      assert.ok(parsed.ok && isRight(parsed.value));
    });
  }

  for (const [name, input, code, offset] of BIG_REFUSED) {
    test(`${kernel.name}: refuses ${name}`, () => {
      assert.deepEqual(kernel.parseJson(new TextEncoder().encode(input())), { ok: false, code, offset });
    });
  }
}

for (const kernel of kernels) {
  test(`${kernel.name}: a name with an escape is read as itself, whatever name was read before`, () => {
    // V8 13 and 14 would return the first name for the second one (nodejs/node#63785).
    const spellings: readonly (readonly [string, string])[] = [
      ["ab\\\\", "ab\\"],
      ["ab\\u0041", "abA"],
      ['ab\\"', 'ab"'],
      ["ab\\n", "ab\n"],
      ["\u{10000}\\\\", "\u{10000}\\"],
      ["\u{10000}\\ue000", "\u{10000}\ue000"],
    ];
    for (const [spelled, name] of [...spellings, ...spellings]) {
      const bytes = new TextEncoder().encode(`[{"q":1,"ab\\\\":3},{"q":1,"${spelled}":2}]`);
      const value = [
        { q: 1, "ab\\": 3 },
        { q: 1, [name]: 2 },
      ];
      assert.deepEqual(kernel.parseJson(bytes), { ok: true, value });
      const opened = kernel.openJson(bytes);
      assert.deepEqual(opened.ok && opened.document.value(), value);
    }
  });
}

for (const kernel of kernels) {
  test(`${kernel.name}: exponents of any length are read as they are`, () => {
    const zeros = (count: number) => "0".repeat(count);
    const read = (text: string) => kernel.parseJson(new TextEncoder().encode(text));
    const lossy = { ok: false, code: "lossy_number", offset: 0 };
    assert.deepEqual(read(`1${zeros(65536)}e-655360`), lossy, "underflows");
    assert.deepEqual(read(`0.${zeros(65535)}1e655360`), lossy, "overflows");
    assert.deepEqual(read(`0.${zeros(1_000_000)}1e1000001`), { ok: true, value: 1 });
    assert.deepEqual(read(`1${zeros(700_000)}e-700000`), { ok: true, value: 1 });
    assert.deepEqual(read(`0.0e-${"9".repeat(400)}`), { ok: true, value: 0 });
    assert.deepEqual(read(`-1e${"9".repeat(400)}`), lossy);
  });

  test(`${kernel.name}: zeros with a sign cost no more than others`, () => {
    const text = new TextEncoder().encode(`[-0${",0.5".repeat(2_000_000)}]`);
    const parsed = kernel.parseJson(text);
    assert.ok(parsed.ok);
    assert.deepEqual([(parsed.value as Json[]).length, (parsed.value as Json[])[0]], [2_000_001, 0]);
  });
}
