/** The patterns of spec/formats.json and their texts, beside core's own schema checker and JavaScript's RegExp. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { validatorOf } from "../../../packages/core/src/schema/check.ts";
import { portable, type specFormats } from "../formats.ts";
import { FORMS } from "../forms.ts";

const { formats, white_space } = JSON.parse(
  readFileSync(new URL("../../../spec/formats.json", import.meta.url), "utf8"),
) as ReturnType<typeof specFormats>;

test("each form has ten texts that have it and ten that do not, all different", () => {
  assert.ok(Object.keys(formats).length > 40);
  for (const [name, { matches, fails }] of Object.entries(formats)) {
    assert.ok(matches.length >= 10 && fails.length >= 10, name);
    assert.equal(new Set([...matches, ...fails]).size, matches.length + fails.length, name);
  }
});

test("core's own checker takes and refuses the same texts", () => {
  for (const { name, pattern, format, has, lacks } of FORMS) {
    const errorsOf = validatorOf(pattern === undefined ? { type: "string", format } : { type: "string", pattern });
    for (const text of has) assert.deepEqual(errorsOf(text), [], `${name}: ${JSON.stringify(text)}`);
    for (const text of lacks) assert.equal(errorsOf(text).length, 1, `${name}: ${JSON.stringify(text)}`);
  }
});

test("so do the patterns as JavaScript reads them, but for what a rule decides", () => {
  for (const [name, { pattern, max_characters = Number.POSITIVE_INFINITY, rule, matches, fails }] of Object.entries(
    formats,
  )) {
    const expression = new RegExp(`^(?:${pattern})$`, "u");
    const has = (text: string) => expression.test(text) && [...text].length <= max_characters;
    for (const text of matches) assert.ok(has(text), `${name}: ${JSON.stringify(text)}`);
    const taken = fails.filter(has);
    if (rule === undefined) assert.deepEqual(taken, [], name);
    else assert.ok(taken.length > 0 && taken.length < fails.length, `${name}: the rule decides ${taken.length}`);
  }
});

test("a pattern that languages read in different ways is refused", () => {
  for (const own of ["^\\d+$", "^\\w$", "^\\s*$", "^(?=a)b$", "^(?<!a)b$", "^a$b$", "^\\p{L}$", "^(?i:a)$", "a"])
    assert.throws(() => portable(own), Error, own);
  assert.deepEqual(portable("^[a-z]\\.[^b]{1,3}$"), { pattern: "[a-z]\\.[^b]{1,3}" });
});

test("the code points of White_Space are those of the Unicode standard", () => {
  const points = white_space.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index));
  assert.equal(points.length, 25);
  for (const point of points) assert.match(String.fromCodePoint(point), /^[\s\u0085]$/u);
});
