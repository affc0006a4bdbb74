/** The contracts as a whole: none is forgotten, no two are equal, and each has everything that its document needs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as api from "../src/index.ts";

const CONTRACTS = api.contractsOf({ withMetrics: true });

test("every contract that a family has is in the list once", () => {
  const families = Object.values(api).filter((value) => Object.prototype.toString.call(value) === "[object Module]");
  assert.ok(families.length >= 13);
  const stated = families.flatMap((family) => Object.values(family)).filter(isContract);
  assert.deepEqual(new Set(CONTRACTS), new Set(stated));
  assert.equal(CONTRACTS.length, stated.length);
  assert.equal(new Set(CONTRACTS.map(api.operationId)).size, CONTRACTS.length);
});

test("only the metrics' own contract depends on whether they are served", () => {
  const without = new Set(api.contractsOf({ withMetrics: false }));
  assert.deepEqual(
    CONTRACTS.filter((one) => !without.has(one)).map(({ path }) => path),
    ["/metrics"],
  );
});

test("each part of a path is described by more than its name, and each code that is listed is in the table", () => {
  const document = api.openApi(CONTRACTS, null);
  const paths = document.paths as Record<
    string,
    Record<string, { parameters: { name: string; description: string }[] }>
  >;
  for (const operations of Object.values(paths))
    for (const { parameters } of Object.values(operations))
      for (const { name, description } of parameters) assert.notEqual(description, name);
  for (const one of CONTRACTS)
    for (const code of api.errorsOf(one)) assert.ok(Object.hasOwn(api.ERRORS, code), `${one.path}: ${code}`);
});

function isContract(value: unknown): value is api.Contract {
  return typeof value === "object" && value !== null && "method" in value && "chapter" in value;
}
