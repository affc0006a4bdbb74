/** Cursors are read as Node reads base64url, by code without Node. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runs } from "@svc/testkit/runs";
import fc from "fast-check";
import { namedPage, numberedPage, type Parameter, twiceNumberedPage } from "../src/index.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const REFUSAL = "is not the next_cursor of a page";

const encoded = (text: string) => Buffer.from(text, "latin1").toString("base64url");
const position = (cursor: Parameter<unknown>, text: string) => {
  const read = cursor.read(text);
  return typeof read === "string" ? read : read.value;
};

test("a position comes back from its cursor", () => {
  const number = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
  fc.assert(
    fc.property(number, number, (first, second) => {
      assert.equal(position(numberedPage.cursor, encoded(`${first}`)), first);
      assert.deepEqual(position(twiceNumberedPage.cursor, encoded(`${first}.${second}`)), [first, second]);
    }),
    { numRuns: runs(2000) },
  );
  const id = "str_01k5jzv2q0xwv4m8t6n3hb7cde";
  assert.equal(position(namedPage.cursor, encoded(id)), id);
  for (const { cursor } of [numberedPage, twiceNumberedPage, namedPage]) assert.equal(position(cursor, ""), REFUSAL);
});

test("any text of the alphabet is read as Node reads it: last bits that fill no byte are passed over", () => {
  const character = fc.constantFrom(...ALPHABET);
  const text = fc.oneof(
    fc.string({ unit: character, minLength: 1, maxLength: 200 }),
    // Digits; the last character may have extra bits.
    fc
      .tuple(fc.stringMatching(/^[1-9][0-9]{0,15}$/), character)
      .map(([digits, last]) => encoded(digits).slice(0, -1) + last),
  );
  fc.assert(
    fc.property(text, (cursor) => {
      const decoded = Buffer.from(cursor, "base64url").toString("latin1");
      const expected = /^[1-9]\d{0,15}$/.test(decoded) ? Number(decoded) : REFUSAL;
      assert.equal(position(numberedPage.cursor, cursor), expected);
    }),
    { numRuns: runs(2000) },
  );
});

test("what has other characters, or too many, is no cursor", () => {
  for (const text of ["MQ==", "M Q", "M+", "é", "M".repeat(201)])
    assert.equal(position(numberedPage.cursor, text), REFUSAL);
});
