/** Properties of the strict parser, judged by JSON.parse and TextDecoder where those agree with protocol section 2. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { lenientJson } from "@svc/testkit/oracles/naive-json";
import { runs } from "@svc/testkit/runs";
import fc from "fast-check";
import { encodeHex } from "../../src/encoding/hex.ts";
import { texts, values } from "./json-texts.ts";
import { kernels } from "./kernels.ts";

const encoder = new TextEncoder();

for (const kernel of kernels) {
  const parse = (text: string) => kernel.parseJson(encoder.encode(text));

  test(`${kernel.name}: reads what JSON.stringify writes, formatted or not, as the same value`, () => {
    fc.assert(
      fc.property(values, fc.constantFrom("", " ", "\t", "\n  "), (value, space) => {
        const text = JSON.stringify(value, null, space);
        assert.deepEqual(parse(text), { ok: true, value: lenientJson(text) });
      }),
      { numRuns: runs(2000) },
    );
  });

  test(`${kernel.name}: accepts nothing that JSON.parse refuses or reads otherwise, and calls only that malformed`, () => {
    let accepted = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parse(text);
        const expected = lenientJson(text);
        if (parsed.ok) {
          accepted++;
          assert.deepEqual(parsed.value, expected);
        } else {
          assert.equal(parsed.code === "json_malformed" && expected !== undefined, false, parsed.code);
        }
      }),
      { numRuns: runs(20000) },
    );
    assert.ok(accepted > runs(100), `only ${accepted} texts were accepted: the generator tests little`);
  });

  test(`${kernel.name}: an error depends on nothing behind it, and nothing before it is one`, () => {
    fc.assert(
      fc.property(texts, fc.string({ unit: "binary-ascii", maxLength: 9 }), (text, tail) => {
        const bytes = encoder.encode(text);
        const parsed = kernel.parseJson(bytes);
        if (parsed.ok || parsed.code !== "json_malformed") return;
        // The text up to the offending byte is whole or ends too early right there.
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
      { numRuns: runs(20000) },
    );
  });

  test(`${kernel.name}: canonical bytes read back to the same value and the same canonical bytes`, () => {
    fc.assert(
      fc.property(values, (value) => {
        const canonical = kernel.canonicalize(value);
        const parsed = kernel.parseJson(canonical);
        assert.ok(parsed.ok);
        assert.deepEqual(parsed.value, lenientJson(JSON.stringify(value)));
        assert.equal(encodeHex(kernel.canonicalize(parsed.value)), encodeHex(canonical));
      }),
      { numRuns: runs(2000) },
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
      { numRuns: runs(5000) },
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
      { numRuns: runs(20000) },
    );
  });
}
