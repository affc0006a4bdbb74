/** Values that J refuses, and those on which it must not fail (protocol section 1). Also the tags of H. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import type { Json } from "../../src/kernel/kernel.ts";
import { kernels } from "./kernels.ts";

function nested(depth: number): Json {
  let value: Json = [];
  for (let i = 1; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

const circular: unknown[] = [];
circular.push({ circular });

/** JSON.rawJSON of newer runtimes. */
const { rawJSON: rawJson } = JSON as { rawJSON?: (text: string) => unknown };

const NOT_JSON: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["undefined", undefined],
  ["function", () => 1],
  ["symbol", Symbol("a")],
  ["bigint", 1n],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
  ["lone high surrogate", "a\ud800"],
  ["lone low surrogate", "\udc00a"],
  ["reversed pair", "\udc00\ud800"],
  ["lone surrogate in a name", { "\ud800": 1 }],
  ["undefined member", { a: undefined }],
  ["symbol member value", { a: Symbol("a") }],
  ["symbol name", { [Symbol("a")]: 1 }],
  ["hidden member", Object.defineProperty({}, "a", { value: 1 })],
  ["undefined element", [undefined]],
  ["hole", new Array(1)],
  ["toJSON", { toJSON: () => 1 }],
  ["toJSON on an array", Object.assign([], { toJSON: () => 1 })],
  ["inherited toJSON", Object.create({ toJSON: () => 1 })],
  ["date", new Date(0)],
  ["map", new Map()],
  ["bytes", Uint8Array.of(1)],
  ["boxed", Object("text")],
  ["boxed, under another prototype", Object.setPrototypeOf(Object(5), Object.prototype)],
  ["array of a class", new (class extends Array<number> {})(1, 2)],
  ["array without prototype", Object.setPrototypeOf([1], null)],
  ...(rawJson === undefined ? [] : [["raw JSON", rawJson("1")] as const]),
  ["cycle", circular],
  ["nested 65 deep", nested(65)],
  ["deep inside", { a: [1, { b: [Number.NaN] }] }],
]);

for (const kernel of kernels) {
  const text = (value: Json) => new TextDecoder().decode(kernel.canonicalize(value));

  for (const [name, value] of NOT_JSON) {
    test(`${kernel.name}: J throws TypeError for ${name}`, () => {
      assert.throws(() => kernel.canonicalize(value as Json), TypeError);
    });
  }

  test(`${kernel.name}: J takes members of any name, own and not inherited`, () => {
    const value = JSON.parse('{"constructor":1,"__proto__":{"b":2},"toJSON":3,"hasOwnProperty":[]}') as Json;
    assert.equal(text(value), '{"__proto__":{"b":2},"constructor":1,"hasOwnProperty":[],"toJSON":3}');
  });

  test(`${kernel.name}: J orders names by UTF-16 code units`, () => {
    assert.equal(text({ "\u{1f600}": 1, "\ufb33": 2, "10": 3, "9": 4 }), '{"10":3,"9":4,"\u{1f600}":1,"\ufb33":2}');
  });

  test(`${kernel.name}: J takes objects without prototype, of another realm, and one object twice`, () => {
    assert.equal(text(Object.assign(Object.create(null), { a: 1 })), '{"a":1}');
    assert.equal(text(runInNewContext('({ a: [{ b: "c" }] })') as Json), '{"a":[{"b":"c"}]}');
    const shared = { a: 1 };
    assert.equal(text([shared, shared, -0]), '[{"a":1},{"a":1},0]');
  });

  test(`${kernel.name}: J takes nesting of 64, which reads back`, () => {
    assert.ok(kernel.parseJson(kernel.canonicalize(nested(64))).ok);
  });

  test(`${kernel.name}: H hashes prefix, tag, newline and bytes, and refuses tags that would blur them`, () => {
    const expected = createHash("sha256").update("SVC-PROOFSTREAM-001/payload\nabc").digest();
    assert.deepEqual(kernel.taggedHash("payload", new TextEncoder().encode("abc")), new Uint8Array(expected));
    for (const tag of ["", "a b", "a\n", "\n", "a\u0000", "é", "a\u007f"]) {
      assert.throws(() => kernel.taggedHash(tag, new Uint8Array()), TypeError, JSON.stringify(tag));
    }
  });

  test(`${kernel.name}: SHA-256 equals node:crypto's around the block lengths`, () => {
    for (let length = 0; length <= 260; length++) {
      const bytes = new Uint8Array(length).fill(length);
      const expected = new Uint8Array(createHash("sha256").update(bytes).digest());
      assert.deepEqual(kernel.sha256(bytes), expected, `${length} bytes`);
    }
  });

  test(`${kernel.name}: a long message has the SHA-256 of its bytes wherever its pieces end and lie`, () => {
    const long = Uint8Array.from({ length: 2 ** 21 + 200 }, (_, at) => (at * 2_654_435_761) >>> 24);
    const shared = new Uint8Array(new SharedArrayBuffer(long.length + 8));
    for (const piece of [2 ** 20, 2 ** 21]) {
      for (const beyond of [-65, -64, -63, -9, -8, -1, 0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128]) {
        const bytes = long.subarray(0, piece + beyond);
        const expected = new Uint8Array(createHash("sha256").update(bytes).digest());
        assert.deepEqual(kernel.sha256(bytes), expected, `${piece} and ${beyond} bytes`);
        // With another alignment, and in memory that holds more than the message.
        const start = (beyond + 65) % 8;
        shared.set(bytes, start);
        assert.deepEqual(
          kernel.sha256(shared.subarray(start, start + bytes.length)),
          expected,
          `shared from ${start} on`,
        );
      }
    }
  });
}
