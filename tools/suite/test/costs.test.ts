/** Costs are written whole, and without usable ones nothing is known of any file. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { readCosts, usualSeconds, writeCosts } from "../costs.ts";
import { nameOf, TIERS, unitsOf } from "../plan.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";

test("costs that are written are read again, sorted by name, with a tenth of a second", () => {
  const folder = temporaryFolder();
  const path = join(folder, "costs.json");
  writeCosts(path, { commit: COMMIT, seconds: { "b.test.ts": 1.2345, "a.test.ts": 20 } });
  assert.deepEqual(readCosts(path), {
    costs: { commit: COMMIT, seconds: { "a.test.ts": 20, "b.test.ts": 1.2 } },
    fault: null,
  });
  const text = readFileSync(path, "utf8");
  assert.deepEqual(Object.keys(JSON.parse(text).seconds), ["a.test.ts", "b.test.ts"]);
  assert.equal(text, `${JSON.stringify(JSON.parse(text), null, 2)}\n`, "as the formatter leaves it");
  assert.deepEqual(readdirSync(folder), ["costs.json"]);
});

for (const [what, text] of [
  ["torn", `{"commit":"${COMMIT}","seconds":{"a.te`],
  ["empty", ""],
  ["without a commit", '{"seconds":{}}'],
  ["with an invalid commit", '{"commit":"main","seconds":{}}'],
  ["with an invalid time", `{"commit":"${COMMIT}","seconds":{"a":"1"}}`],
  ["with a time below zero", `{"commit":"${COMMIT}","seconds":{"a":-1}}`],
] as const)
  test(`costs that are ${what} are of no use, and that is said`, () => {
    const path = join(temporaryFolder(), "costs.json");
    writeFileSync(path, text);
    const { costs, fault } = readCosts(path);
    assert.deepEqual(costs, { commit: null, seconds: {} });
    assert.ok(fault);
  });

test("costs that are missing are of no use, and that is said", () => {
  const { costs, fault } = readCosts(join(temporaryFolder(), "costs.json"));
  assert.equal(costs.commit, null);
  assert.match(fault ?? "", /ENOENT/);
});

test("a file of unknown time counts as the middle of its tier", () => {
  const seconds = { "a.test.ts": 1, "b.test.ts": 100, "c.test.ts": 3, "d.slow.test.ts": 50, "c.test.ts (postgres)": 5 };
  assert.equal(usualSeconds("quick", seconds), 5);
  assert.equal(usualSeconds("slow", seconds), 50);
  // Nothing is known: a foreign program is not taken for a short one.
  assert.ok(usualSeconds("real", {}) > 10 * usualSeconds("quick", {}));
});

test("the committed costs are usable, and most of them are of files that are there", () => {
  const { costs, fault } = readCosts(new URL("../costs.json", import.meta.url));
  assert.equal(fault, null);
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  const names = new Set(TIERS.flatMap((tier) => unitsOf(tier, root)).map(nameOf));
  const known = Object.keys(costs.seconds);
  assert.ok(known.filter((name) => names.has(name)).length > known.length * 0.8);
});
