/** Properties of the strict parser, with JSON.parse and TextDecoder as judges where those agree with protocol section 2. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { encodeHex } from "../../src/encoding/hex.ts";
import { kernels } from "./kernels.ts";

const encoder = new TextEncoder();

/** JSON.parse with -0 as 0; undefined for what it refuses. */
function lenient(text: string): unknown {
  try {
    return JSON.parse(text, (_, value) => (value === 0 ? 0 : value));
  } catch {
    return undefined;
  }
}

const names = fc.oneof(
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.constantFrom("__proto__", "constructor", "toJSON", "1", ""),
);
const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
  fc
    .integer({ min: -9, max: 9 })
    .chain((digit) => fc.integer({ min: 0, max: 307 }).map((zeros) => digit * 10 ** zeros)),
);
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, true, false),
    numbers,
    fc.string({ unit: "binary" }),
    fc.array(tie("value"), { maxLength: 4 }),
    // Made by JSON.parse, since an assignment to `__proto__` makes no member.
    fc
      .array(fc.tuple(names, tie("value")), { maxLength: 4 })
      .map((members) => JSON.parse(`{${members.map(([n, v]) => `${JSON.stringify(n)}:${JSON.stringify(v)}`).join()}}`)),
  ),
})).value;

/** Text made of pieces of JSON, mostly wrong and often nearly right. */
const pieces = [
  ...'{}[],:"\\-+.eE01u \n\t',
  "{}",
  "[]",
  '"a"',
  '"a":',
  '{"a":1,',
  ',"a":2}',
  '"\\u0061":3',
  "true",
  "null",
  "nul",
  "9007199254740993",
  "12345678901234568000",
  "1e400",
  "1e-400",
  "0.5",
  "-0",
  "\\ud83d",
  "\\ude00",
  "\\u0041",
  "é",
  "\u{1f600}",
  "\ufeff",
  "\u0001",
  "\u00a0",
];
const soups = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(""));
const wrappedSoups = fc
  .tuple(fc.constantFrom(["[", "]"], ['{"a":', "}"], ['"', '"'], ["[[", ",1]]"]), soups)
  .map(([[before, after], soup]) => `${before}${soup}${after}`);
const damaged = fc
  .tuple(values, fc.nat(), fc.nat(2), fc.constantFrom("", ...pieces))
  .map(([value, at, removed, piece]) => {
    const text = JSON.stringify(value);
    return [...text].toSpliced(at % (text.length + 1), removed, piece).join("");
  });
const texts = fc.oneof(soups, wrappedSoups, damaged);

for (const kernel of kernels) {
  const parse = (text: string) => kernel.parseJson(encoder.encode(text));

  test(`${kernel.name}: reads what JSON.stringify writes, formatted or not, as the same value`, () => {
    fc.assert(
      fc.property(values, fc.constantFrom("", " ", "\t", "\n  "), (value, space) => {
        const text = JSON.stringify(value, null, space);
        assert.deepEqual(parse(text), { ok: true, value: lenient(text) });
      }),
      { numRuns: 2000 },
    );
  });

  test(`${kernel.name}: accepts nothing that JSON.parse refuses or reads otherwise, and calls only that malformed`, () => {
    let accepted = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parse(text);
        const expected = lenient(text);
        if (parsed.ok) {
          accepted++;
          assert.deepEqual(parsed.value, expected);
        } else {
          assert.equal(parsed.code === "json_malformed" && expected !== undefined, false, parsed.code);
        }
      }),
      { numRuns: 20000 },
    );
    assert.ok(accepted > 100, `only ${accepted} texts were accepted: the generator tests little`);
  });

  test(`${kernel.name}: an error depends on nothing behind it, and nothing before it is one`, () => {
    fc.assert(
      fc.property(texts, fc.string({ unit: "binary-ascii", maxLength: 9 }), (text, tail) => {
        const bytes = encoder.encode(text);
        const parsed = kernel.parseJson(bytes);
        if (parsed.ok || parsed.code !== "json_malformed") return;
        // Cut before the offending byte, the text is whole or ends too early right there.
        const before = kernel.parseJson(bytes.slice(0, parsed.offset));
        const isCut = !before.ok && before.offset === parsed.offset && before.code === "json_malformed";
        const isInsideCharacter = ((bytes[parsed.offset] ?? 0) & 0xc0) === 0x80;
        assert.ok(before.ok || isCut, JSON.stringify(before));
        assert.equal(isInsideCharacter, false);
        if ((bytes[parsed.offset] ?? 0xff) < 0x80) {
          const other = Uint8Array.of(...bytes.slice(0, parsed.offset + 1), ...encoder.encode(tail));
          assert.deepEqual(kernel.parseJson(other), parsed);
        }
      }),
      { numRuns: 20000 },
    );
  });

  test(`${kernel.name}: canonical bytes read back to the same value and the same canonical bytes`, () => {
    fc.assert(
      fc.property(values, (value) => {
        const canonical = kernel.canonicalize(value);
        const parsed = kernel.parseJson(canonical);
        assert.ok(parsed.ok);
        assert.deepEqual(parsed.value, lenient(JSON.stringify(value)));
        assert.equal(encodeHex(kernel.canonicalize(parsed.value)), encodeHex(canonical));
      }),
      { numRuns: 2000 },
    );
  });

  test(`${kernel.name}: an integer literal is accepted exactly where the double carries it or J gives it back`, () => {
    const literals = fc.oneof(
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
      fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }).chain((m) => fc.nat(60).map((by) => `${m << BigInt(by)}`)),
      fc.double({ min: 2 ** 53, max: 1e21, maxExcluded: true, noNaN: true }).map(String),
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 54n }).map(String),
    );
    fc.assert(
      fc.property(
        literals.filter((literal) => !/[.e]/.test(literal)),
        (literal) => {
          const double = Number(literal);
          const isKept = BigInt(double) === BigInt(literal) || JSON.stringify(double) === literal;
          const expected = isKept ? { ok: true, value: double } : { ok: false, code: "lossy_number", offset: 0 };
          assert.deepEqual(parse(literal), expected);
        },
      ),
      { numRuns: 5000 },
    );
  });

  test(`${kernel.name}: random bytes never throw, and are ill-formed exactly where TextDecoder says so`, () => {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const isWellFormed = (bytes: Uint8Array) => {
      try {
        decoder.decode(bytes);
        return true;
      } catch {
        return false;
      }
    };
    const byte = fc.oneof(
      fc.integer({ min: 0, max: 255 }),
      fc.constantFrom(0x22, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5),
    );
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 12 }), (array) => {
        const bytes = Uint8Array.from(array);
        const parsed = kernel.parseJson(bytes);
        if (isWellFormed(bytes)) {
          assert.ok(parsed.ok || parsed.code !== "invalid_unicode" || bytes.includes(0x5c));
          return;
        }
        assert.ok(!parsed.ok && parsed.code === "invalid_unicode");
        assert.ok(isWellFormed(bytes.slice(0, parsed.offset)), "the bytes before the offset are well-formed");
        for (let length = 1; length <= 4; length++) {
          const sequence = bytes.slice(parsed.offset, parsed.offset + length);
          assert.equal(isWellFormed(sequence), false, "no character starts at the offset");
        }
      }),
      { numRuns: 20000 },
    );
  });
}
