/** Which tier runs a file, in which forms, and in which order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { longestFirst, nameOf, TIERS, testFiles, tierOf, type Unit, unitNamed, unitsOf } from "../plan.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const plain = (file: string): Unit => ({ file, form: "plain" });

test("the name of a file says which tier runs it", () => {
  assert.equal(tierOf("packages/core/test/verify.test.ts"), "quick");
  assert.equal(tierOf("packages/core/test/verify.prop.test.ts"), "quick");
  assert.equal(tierOf("packages/cli/test/build.slow.test.ts"), "slow");
  assert.equal(tierOf("sdks/go/test/fuzz.real.slow.test.ts"), "real");
});

test("each file is in one tier as it stands, and each unit is in one tier", () => {
  const units = TIERS.flatMap((tier) => unitsOf(tier, ROOT));
  assert.equal(new Set(units.map(nameOf)).size, units.length);
  const asTheyStand = units.filter(({ form }) => form === "plain").map(({ file }) => file);
  assert.deepEqual(asTheyStand.sort(), testFiles(ROOT));
});

test("the slow tier has quick files on PostgreSQL, and properties in full", () => {
  const names = (form: string) => unitsOf("slow", ROOT).flatMap((unit) => (unit.form === form ? [unit.file] : []));
  const quick = unitsOf("quick", ROOT).map(({ file }) => file);
  const onDatabase = quick.filter((file) => /^packages\/(?:host|server)\//.test(file));
  const onStores = testFiles(ROOT).filter((file) => file.endsWith(".stores.slow.test.ts"));
  assert.deepEqual(names("postgres"), [...onDatabase, ...onStores].sort());
  assert.ok(onStores.length > 0);
  assert.ok(onDatabase.length > 0);
  const properties = quick.filter((file) => /\.(?:prop|diff)\./.test(file));
  assert.deepEqual(names("full"), properties);
  assert.ok(properties.length > 0);
});

test("a unit is found by its name", () => {
  const units = TIERS.flatMap((tier) => unitsOf(tier, ROOT));
  assert.deepEqual(units.map(nameOf).map(unitNamed), units);
});

test("a run begins with files of no known time, then with the longest", () => {
  const units = ["b", "long", "new", "a", "short", "older"].map(plain);
  const seconds = { long: 9, short: 1, a: 3, b: 3 };
  const order = longestFirst(units, seconds).map(({ file }) => file);
  assert.deepEqual(order, ["new", "older", "long", "a", "b", "short"]);
});
