/**
 * The checker of schemas refuses unknown keywords, counts only own members, and stays small on values made to be
 * expensive.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { TSchema } from "typebox";
import { type Json, schemas } from "../../src/index.ts";
import { MAX_ERRORS, type SchemaError, validatorOf } from "../../src/schema/check.ts";
import { oracleOf, type ToldError } from "./oracle.ts";

const SEAL = {
  protocol: "SVC-PROOFSTREAM-001",
  alg: "Ed25519",
  kid: `ed25519-${"0".repeat(16)}`,
  signature: "0".repeat(128),
};
const seal = validatorOf(schemas.Seal);
const bundle = validatorOf(schemas.Bundle);

function told({ keyword, path, demand }: SchemaError): ToldError {
  return { keyword, path, demand };
}

function withMember(object: object, name: string, value: unknown): object {
  return Object.defineProperty({ ...object }, name, { value, enumerable: true });
}

const NOT_KNOWN: readonly (readonly [string, TSchema])[] = [
  ["a keyword", { anyOf: [{ type: "string" }] }],
  ["a keyword that every object inherits", { toString: 0 }],
  ["a keyword inside of a member", { type: "object", properties: { a: { type: "string", maxLength: 1 } } }],
  ["a keyword inside of a list", { type: "array", items: { type: "array", uniqueItems: true } }],
  ["a keyword of a name", { type: "object", propertyNames: { minLength: 1 } }],
  ["a keyword of other members", { type: "object", additionalProperties: { not: {} } }],
  ["a type", { type: ["string", "text"] }],
  ["a format", { type: "string", format: "uri" }],
  ["a constant that is no scalar", { const: {} }],
  ["one of several constants that is no scalar", { enum: ["a", []] }],
  ["other members that are allowed", { type: "object", additionalProperties: true as TSchema }],
];

for (const [what, schema] of NOT_KNOWN) {
  test(`a schema is not followed in part: ${what}`, () => {
    assert.throws(() => validatorOf(schema)("x"), TypeError);
  });
}

test("every schema on the wire is followed, whatever the value", () => {
  for (const [name, schema] of Object.entries(schemas)) {
    const validator = validatorOf(schema);
    for (const value of [null, undefined, 0, Number.NaN, "", [], {}, () => 0])
      assert.notEqual(validator(value).length, 0, name);
  }
});

test("only an object's own members count", () => {
  assert.deepEqual(seal(SEAL), []);
  assert.equal(seal(Object.create(SEAL)).length, 4, "four members are missing, and none is too much");
  assert.deepEqual(seal(Object.assign(Object.create({ more: 0 }), SEAL)), []);
});

for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
  test(`a member called ${name} is a member like any other`, () => {
    const errors = seal(withMember(SEAL, name, SEAL)).map(told);
    assert.deepEqual(errors, [{ keyword: "additionalProperties", path: "", demand: name }]);
    const payloads = withMember({}, name, { payload: {} });
    const ofPayloads = bundle({ payloads }).filter(({ path }) => path.startsWith("/payloads"));
    assert.deepEqual(
      ofPayloads.map(({ keyword, path }) => `${keyword} ${path}`),
      ["pattern /payloads", `required /payloads/${name}`],
    );
  });
}

test("a member that is undefined is missing, as it will be on the wire", () => {
  const errors = seal({ ...SEAL, kid: undefined }).map(told);
  assert.deepEqual(errors, [{ keyword: "required", path: "", demand: "kid" }]);
});

test("names are escaped in paths", () => {
  const [, error] = bundle({ payloads: { "a/b~c": 0 } }).filter(({ path }) => path.startsWith("/payloads"));
  assert.equal(error?.path, "/payloads/a~1b~0c");
});

test("a list that is too long is one error, as ajv says", () => {
  const checkpoint = { window_roots: Array(1025).fill({}) };
  const errors = validatorOf(schemas.Checkpoint)(checkpoint);
  assert.deepEqual(errors.map(told), oracleOf(schemas.Checkpoint)(checkpoint));
  assert.equal(errors.filter(({ keyword }) => keyword === "maxItems").length, 1);
});

test("of a million errors the first thousand are listed", () => {
  const wrong = { stream_id: 0, records: Array(1_000_000).fill(0) };
  const errors = validatorOf(schemas.StreamSegment)(wrong);
  assert.equal(errors.length, MAX_ERRORS);
  assert.deepEqual(
    [errors[0]?.path, errors[1]?.path, errors.at(-1)?.path],
    ["/stream_id", "/records/0", `/records/${MAX_ERRORS - 2}`],
  );
});

test("the walk ends where the first thousand errors are known", () => {
  for (const schema of [schemas.StreamSegment, schemas.Bundle]) {
    const isBundle = schema === schemas.Bundle;
    const looked = new Set<string | symbol>();
    const watched = (target: object) =>
      new Proxy(target, { get: (of, name) => looked.add(name) && Reflect.get(of, name) });
    const records = watched(Array(1_000_000).fill(0));
    const wrong = isBundle ? { artifacts: { "receipts.json": records } } : { records };
    assert.equal(validatorOf(schema)(wrong).length, MAX_ERRORS);
    assert.ok(looked.size < MAX_ERRORS + 20, `${looked.size} members were looked at`);
  }
  const names = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`name ${index}`, 0]));
  assert.equal(validatorOf(schemas.StreamSegment)(names).length, MAX_ERRORS);
});

test("a value deeper than any stack is checked as deep as the schema goes", () => {
  let payload: Json = {};
  for (let depth = 0; depth < 100_000; depth++) payload = { payload };
  const errors = validatorOf(schemas.ReceiptRecord)({ payload });
  assert.ok(!errors.some(({ path }) => path.startsWith("/payload")));
});
