/**
 * Our checker against ajv, for every schema on the wire: the same errors in the same order, over all fixtures and
 * cases of others, and over good values after small and rough changes.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Json, schemas } from "../../src/index.ts";
import { type SchemaError, validatorOf } from "../../src/schema/check.ts";
import { mutants } from "../mutations.ts";
import { oracleOf, type ToldError } from "./oracle.ts";
import { casesOfOthers, fixtures, partsOf, replacements, valueAt, valuesOf } from "./values.ts";

const CHECKERS = Object.entries(schemas).map(([name, schema]) => ({
  name,
  ours: validatorOf(schema),
  ajv: oracleOf(schema),
}));
/** About so many changed values are compared for each schema. */
const CHANGED_VALUES = 10_000;

test("fixtures break each schema where ajv says", () => {
  compareWithEach(fixtures().flatMap(valuesOf));
});

test("cases of others break each schema where ajv says", () => {
  compareWithEach(casesOfOthers().flatMap(valuesOf));
});

const parts = new Map(
  fixtures()
    .flatMap(valuesOf)
    .flatMap((value) => [...partsOf(value)])
    .map((part) => [JSON.stringify(part), part]),
);

for (const { name, ours, ajv } of CHECKERS) {
  test(`changed values break the schema ${name} where ajv says`, () => {
    // The largest ones have the most members.
    const good = [...parts].filter(([, part]) => ajv(part).length === 0).sort(([a], [b]) => b.length - a.length);
    assert.notEqual(good.length, 0, "no fixture holds one");
    const seen = new Set<string>();
    let count = 0;
    for (const [, value] of good) {
      for (const changed of changesOf(value)) {
        const errors = ajv(changed);
        for (const { keyword } of errors) seen.add(keyword);
        compare(ours(changed), errors, changed);
        count++;
      }
      if (count >= CHANGED_VALUES) break;
    }
    assert.ok(seen.has("type") && seen.has("required") && seen.has("additionalProperties"));
    console.log(`# ${name}: ${count} changed values, broken: ${[...seen].sort().join(", ")}`);
  });
}

function compareWithEach(values: readonly Json[]): void {
  assert.notEqual(values.length, 0);
  for (const value of values) for (const { ours, ajv } of CHECKERS) compare(ours(value), ajv(value), value);
}

function* changesOf(value: Json): Generator<Json> {
  for (const { value: mutant } of mutants(value)) yield mutant;
  yield* replacements(value);
}

/**
 * Compares as text, which is much faster, and shows the difference. Each error's own value must be the one at its path.
 */
function compare(ours: readonly SchemaError[], ajv: readonly ToldError[], value: Json): void {
  const told = ours.map(({ keyword, path, demand }) => ({ keyword, path, demand }));
  const about = () => `about ${JSON.stringify(value).slice(0, 1000)}`;
  if (JSON.stringify(told) !== JSON.stringify(ajv)) assert.deepEqual(told, ajv, about());
  for (const error of ours) assert.equal(error.value, valueAt(value, error.path), about());
}
