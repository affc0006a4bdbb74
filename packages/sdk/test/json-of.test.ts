/**
 * The SDK sends exactly the given value: each value that JSON would change is refused by name and path, and all others
 * stay.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { SvcError } from "../src/index.ts";
import { jsonOf } from "../src/json-of.ts";

class Decision {
  readonly approved = true;
}
class Amount {
  toJSON() {
    return { cents: 1250 };
  }
}
class List extends Array<number> {}

const circle: { self?: unknown } = {};
circle.self = circle;
const named = Object.assign([1, 2], { total: 3 });
// biome-ignore lint/suspicious/noSparseArray: a hole is what is tried
const holed = [1, , 2];
const getter = Object.defineProperty({}, "now", { get: () => 1, enumerable: true });
const hidden = Object.defineProperty({}, "key", { value: 1 });
const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);

/** A value, its pointer below /payload/x, and the words of the refusal. */
const REFUSED: readonly (readonly [string, unknown, string, RegExp])[] = [
  ["NaN", Number.NaN, "", /^payload\.x is NaN, which JSON does not have\.$/],
  ["Infinity", Number.POSITIVE_INFINITY, "", /^payload\.x is Infinity, /],
  ["-Infinity", Number.NEGATIVE_INFINITY, "", /^payload\.x is -Infinity, /],
  ["-0", -0, "", /^payload\.x is -0, /],
  ["2^53", 2 ** 53, "", /^payload\.x is 9007199254740992, an integer beyond 2\^53-1/],
  ["-1e300", -1e300, "", /^payload\.x is -1e\+300, an integer/],
  ["a BigInt", 12n, "", /is a BigInt/],
  ["a symbol", Symbol("s"), "", /is a symbol/],
  ["a function", () => 1, "", /is a function/],
  ["undefined", undefined, "", /is undefined/],
  ["undefined in an array", [1, undefined], "/1", /^payload\.x\[1\] is undefined/],
  ["undefined as a member", { "a/b~c d": undefined }, "/a~1b~0c d", /^payload\.x\["a\/b~c d"\] is undefined/],
  ["a hole", holed, "/1", /^payload\.x\[1\] is a hole/],
  ["a sparse array", new Array(2 ** 32 - 1), "/0", /is a hole/],
  ["an array with a member", named, "", /member total/],
  ["an array with a symbol", Object.assign([], { [Symbol("s")]: 1 }), "", /member Symbol\(s\)/],
  ["the answer of a RegExp", /x/.exec("x"), "", /member index/],
  ["a class that extends Array", List.of(1), "", /is of the class List, /],
  ["a Map", new Map([["a", 1]]), "", /^payload\.x is of the class Map, which JSON does not have/],
  ["a Set", new Set([1]), "", /is of the class Set/],
  ["a WeakMap", new WeakMap(), "", /is of the class WeakMap/],
  ["a RegExp", /x/, "", /is of the class RegExp/],
  ["an Error", new Error("late"), "", /is of the class Error/],
  ["a typed array", Uint8Array.of(1, 2), "", /is of the class Uint8Array/],
  ["a Buffer", Buffer.of(1, 2), "", /is of the class Buffer/],
  ["an ArrayBuffer", new ArrayBuffer(1), "", /is of the class ArrayBuffer/],
  ["a promise", Promise.resolve(1), "", /is of the class Promise/],
  ["a boxed number", new Number(1), "", /is of the class Number/],
  ["an object of a class", new Decision(), "", /is of the class Decision/],
  ["an object that inherits members", Object.create({ a: 1 }), "", /is of the class Object/],
  ["a Date without a time", new Date(Number.NaN), "", /Date without a time/],
  ["a toJSON that answers nothing", { toJSON: () => undefined }, "", /is undefined/],
  ["a toJSON that answers NaN", [{ toJSON: () => Number.NaN }], "/0", /^payload\.x\[0\] is NaN/],
  ["a toJSON that answers a Map", { toJSON: () => new Map() }, "", /is of the class Map/],
  ["a member named by a symbol", { [Symbol("s")]: 1 }, "", /member named by the Symbol\(s\)/],
  ["a getter", getter, "/now", /is a getter/],
  ["a member that is not enumerable", hidden, "/key", /is not enumerable/],
  ["Math", Math, "/abs", /is not enumerable/],
  ["half of a pair", "a\ud800b", "", /half of a surrogate pair/],
  ["a name with half of a pair", { "\udc00": 1 }, "", /name has half of a surrogate pair/],
  ["a circle", circle, "/self", /^payload\.x\.self contains itself/],
  ["too many levels", deep(63), "/0".repeat(62), /more than 64 levels/],
];

for (const [what, value, below, said] of REFUSED)
  test(`refused: ${what}`, () => {
    assert.throws(
      () => jsonOf({ source_ref: "loan-1001", payload: { y: 1, x: value } }),
      (error: unknown) => {
        assert.ok(error instanceof SvcError, String(error));
        const { code, status, retryable, message, detail } = error;
        assert.deepEqual({ code, status, retryable }, { code: "payload_not_json", status: null, retryable: false });
        assert.match(message, said);
        assert.deepEqual(detail, { problems: [{ path: `/payload/x${below}`, message }] });
        return true;
      },
    );
  });

test("kept: what JSON has, and what says itself how it reads", () => {
  const foreign = runInNewContext("({ list: [1, { a: null }], text: 'ü' })");
  const shared = { a: 1 };
  const bare = Object.assign(Object.create(null), { a: 1 });
  const proto = JSON.parse('{"__proto__":{"a":1},"constructor":2}');
  const kept = [
    [0, 0.1, -1.5, 1e-7, 5e-324, 1.7976931348623157, 2 ** 53 - 1, 1 - 2 ** 53],
    ["", '\u0000\u2028\ufffe"\\', "\u{1f4cd}", true, false, null],
    [[], {}, foreign, [shared, shared], bare, proto, deep(60)],
    { when: new Date(0), url: new URL("https://loans.example/"), amount: new Amount(), own: { toJSON: () => [1] } },
  ];
  assert.equal(jsonOf(kept), JSON.stringify(kept));
});

test("every value that JSON has reads as JSON.stringify writes it", () => {
  const value = fc.jsonValue({ maxDepth: 6 });
  fc.assert(
    fc.property(value, (each) => {
      let text: string;
      try {
        text = jsonOf(each);
      } catch (error) {
        // These two are JSON, and are refused all the same.
        assert.match((error as SvcError).message, /is -0|beyond 2\^53-1/);
        return;
      }
      assert.equal(text, JSON.stringify(each));
    }),
    { numRuns: 2000 },
  );
});

test("whatever is given, it is refused, or reads back as it was", () => {
  const anything = fc.anything({
    maxDepth: 3,
    withBigInt: true,
    withBoxedValues: true,
    withDate: false,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withObjectString: true,
    withSparseArray: true,
    withTypedArray: true,
  });
  fc.assert(
    fc.property(anything, (each) => {
      let text: string;
      try {
        text = jsonOf(each);
      } catch (error) {
        assert.equal((error as SvcError).code, "payload_not_json");
        return;
      }
      assert.deepEqual(JSON.parse(text), withPrototypes(each));
    }),
    { numRuns: 5000 },
  );
});

test("each member is read once, and each toJSON called once, with its name", () => {
  const calls: unknown[] = [];
  const value = { toJSON: (...given: unknown[]) => calls.push(given) };
  const reads: PropertyKey[] = [];
  const watched = new Proxy(
    { a: 1 },
    {
      getOwnPropertyDescriptor: (target, name) => {
        reads.push(name);
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    },
  );
  assert.equal(jsonOf({ list: [value], watched }), '{"list":[1],"watched":{"a":1}}');
  assert.deepEqual([calls, reads], [[["0"]], ["a"]]);
});

test("options that are undefined are left out, and nothing deeper is", () => {
  assert.equal(jsonOf({ a: undefined, b: 1 }, { mayLack: true }), '{"b":1}');
  assert.throws(() => jsonOf({ a: { b: undefined } }, { mayLack: true }), /a\.b is undefined/);
  assert.throws(() => jsonOf(getter, { mayLack: true }), /now is a getter/);
});

/** Returns the same value in ordinary objects. */
function withPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPrototypes);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withPrototypes(member)]));
}
