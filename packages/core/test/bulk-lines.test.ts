/** Columns of literals from a kernel: each form, and each way to miss it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Lines } from "../src/objects/bundle/lines.ts";
import { Salt } from "../src/schema/atoms.ts";

/** Returns a column of these literals, or of a text as it stands. */
const linesOf = (literals: readonly string[]) => columnOf(literals.map((one) => `${one}\n`).join(""), literals.length);
const columnOf = (text: string, count: number) => new Lines(new TextEncoder().encode(text), count);
const texts = (...values: string[]) => linesOf(values.map((value) => JSON.stringify(value)));

test("values are all one text, as often as there are rows", () => {
  assert.equal(texts("a", "a").areAll("a"), true);
  assert.equal(texts('"', '"').areAll('"'), true);
  assert.equal(texts("a", "b").areAll("a"), false);
  assert.equal(texts("b", "a").areAll("a"), false);
  assert.equal(columnOf('"a"\n"a"\n', 1).areAll("a"), false);
  assert.equal(columnOf('"a"\n', 2).areAll("a"), false);
  assert.equal(columnOf('"a"', 1).areAll("a"), false, "the newline is missing");
  assert.equal(columnOf("", 0).areAll("a"), true);
});

test("values count from a number on", () => {
  assert.equal(linesOf(["9", "10", "11"]).countFrom(9), true);
  assert.equal(linesOf(["9", "10", "11"]).countFrom(8), false);
  assert.equal(linesOf(["9", "11"]).countFrom(9), false);
  assert.equal(linesOf(["9", "8"]).countFrom(9), false);
  assert.equal(linesOf(['"9"']).countFrom(9), false);
  assert.equal(columnOf("9\n10", 2).countFrom(9), false, "the newline is missing");
  assert.equal(columnOf("9\n10\n", 1).countFrom(9), false);
});

test("the first literal and the last one are as they stand", () => {
  const ends = (lines: Lines) => [lines.firstLiteral, lines.lastLiteral];
  assert.deepEqual(ends(linesOf(["1", "22", "333"])), ["1", "333"]);
  assert.deepEqual(ends(linesOf(['"a\\n"'])), ['"a\\n"', '"a\\n"']);
  assert.deepEqual(ends(columnOf("", 0)), ["", ""]);
});

test("values have the form of a pattern, in every row, and nothing follows", () => {
  const [salt, other] = ["ab".repeat(16), "cd".repeat(16)];
  assert.equal(texts(salt, other).haveFormOf(Salt), true);
  assert.equal(columnOf("", 0).haveFormOf(Salt), true);
  for (const wrong of ["", "AB".repeat(16), salt.slice(1), `${salt}a`, ` ${salt}`]) {
    assert.equal(texts(salt, wrong).haveFormOf(Salt), false, wrong);
    assert.equal(texts(wrong, salt).haveFormOf(Salt), false, wrong);
  }
  assert.equal(linesOf([`"\\u0061${salt.slice(1)}"`]).haveFormOf(Salt), false, "an escape");
  assert.equal(columnOf(`"${salt}"`, 1).haveFormOf(Salt), false, "the newline is missing");
  assert.equal(columnOf(`"${salt}"\n"${salt}"\n`, 1).haveFormOf(Salt), false);
  assert.equal(columnOf(`"${salt}"\n`, 2).haveFormOf(Salt), false);
});

test("values are of a format, each of them", () => {
  const [time, later] = ["2026-03-01T00:00:00.000Z", "2026-03-01T00:00:01.000Z"];
  assert.equal(texts(time, time, later).areOf("service-time"), true);
  for (const wrong of ["", "2026-02-30T00:00:00.000Z"])
    for (const row of [0, 1, 2]) {
      const values = [time, time, time].with(row, wrong);
      assert.equal(texts(...values).areOf("service-time"), false, `${wrong} in row ${row}`);
    }
  assert.equal(linesOf(["1"]).areOf("service-time"), false);
  assert.equal(texts("a\u0001").areOf("source-ref"), false, "an escape is read as what it says");
  assert.equal(texts("a").areOf("no such format"), false);
});

test("values are what the literals say, with and without escapes", () => {
  assert.deepEqual(texts("a", "", "ü").texts(), ["a", "", "ü"]);
  assert.deepEqual(texts("a", 'b"\n\\', "").texts(), ["a", 'b"\n\\', ""]);
  assert.deepEqual(columnOf("", 0).texts(), []);
  for (const wrong of ["1", "null", '{"a":1}', "['a']", ""])
    for (const row of [0, 1])
      assert.equal(linesOf(['"a"', '"b"'].with(row, wrong)).texts(), null, `${wrong} in row ${row}`);
  assert.equal(columnOf('"a"\n"b"', 2).texts(), null, "the newline is missing");
  assert.equal(columnOf('"a"\n', 2).texts(), null);
  assert.equal(new Lines(Uint8Array.of(0x22, 0xff, 0x22, 0x0a), 1).texts(), null, "no UTF-8");
});
