/** Every language builds the values of fixtures/payload-values.json, and seals or refuses the same. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { SvcError } from "../src/index.ts";
import { jsonOf } from "../src/json-of.ts";

interface Case {
  readonly name: string;
  /** The value that is sealed; absent for one that is refused. */
  readonly json?: unknown;
  /** A pattern that is in the message of the refusal. */
  readonly refused?: string;
  /** Absent for a case of all languages. */
  readonly languages?: readonly string[];
}

class Hidden {
  readonly #amount = 5;
  toString() {
    return String(this.#amount);
  }
}
class List extends Array<number> {}

const one = { a: 1 };
const circle: { self?: unknown } = {};
circle.self = circle;
// biome-ignore lint/suspicious/noSparseArray: a hole is what is tried
const holed = [1, , 2];
const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);

const VALUES = new Map<string, unknown>([
  ["null", null],
  ["true", true],
  ["false", false],
  ["zero", 0],
  ["the greatest integer", 2 ** 53 - 1],
  ["the least integer", 1 - 2 ** 53],
  ["a fraction", -1.5],
  ["a small fraction", 5e-324],
  ["an empty text", ""],
  ["a text of all planes", '<a&b> é 中 📍 \u0000 \u2028 " \\ \ufffd'],
  ["an empty list", []],
  ["an empty map", {}],
  ["lists and maps", JSON.parse('{"":[1,{"a/b~c":null}],"__proto__":[[]]}')],
  ["one value in two places", [one, one]],
  ["a time", new Date("2026-03-01T09:30:00.5Z")],
  ["an object that says how it reads", { toJSON: () => ({ cents: 1250 }) }],
  ["NaN", Number.NaN],
  ["infinity", Number.POSITIVE_INFINITY],
  ["minus infinity", Number.NEGATIVE_INFINITY],
  ["minus zero", -0],
  ["an integer of 2^53", 2 ** 53],
  ["an integer of -2^53", -(2 ** 53)],
  ["a large fraction", 1e300],
  ["a large integer", 2n ** 64n - 1n],
  ["a text that is not Unicode", "a\ud800b"],
  ["a name that is not Unicode", { "\udfff": 1 }],
  ["bytes", new TextEncoder().encode("hello")],
  ["a map with other names", new Map([[1, "a"]])],
  ["a set", new Set(["a"])],
  ["an error", new Error("disk is full")],
  ["an object whose members are hidden", new Hidden()],
  ["a function", () => undefined],
  ["a value that is still to come", Promise.resolve(1)],
  ["a value that contains itself", circle],
  ["65 levels", deep(63)],
  ["a subclass", List.of(1)],
  ["undefined", undefined],
  ["a hole in a list", holed],
  ["a getter", Object.defineProperty({}, "now", { get: () => 1, enumerable: true })],
]);

const table: readonly Case[] = JSON.parse(
  readFileSync(new URL("../../../fixtures/payload-values.json", import.meta.url), "utf8"),
);
const cases = table.filter(({ languages }) => languages?.includes("typescript") ?? true);

test("a value is built for each case of the table, and for no other", () => {
  assert.deepEqual(
    [...VALUES.keys()],
    cases.map(({ name }) => name),
  );
});

for (const { name, json, refused } of cases)
  test(`${refused === undefined ? "sealed" : "refused"}: ${name}`, () => {
    const sent = () => jsonOf({ payload: { x: VALUES.get(name) } });
    if (refused === undefined) {
      assert.deepEqual(JSON.parse(sent()).payload.x, json);
      return;
    }
    assert.throws(sent, (error: unknown) => {
      assert.ok(error instanceof SvcError, String(error));
      assert.deepEqual([error.code, error.retryable], ["payload_not_json", false]);
      assert.match(error.message, new RegExp(refused));
      const [problem] = error.detail.problems as { path: string; message: string }[];
      assert.match(problem?.path ?? "", /^\/payload\/x(?:\/|$)/);
      assert.equal(problem?.message, error.message);
      return true;
    });
  });
