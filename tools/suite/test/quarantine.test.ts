/** A quarantine has a reason and an end, at most seven days ahead, and a clock that went back does not prolong it. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { commitTime } from "../changes.ts";
import { testFiles } from "../plan.ts";
import { readQuarantine } from "../quarantine.ts";

const NOW = Date.parse("2026-03-10T12:00:00Z");
const FILE = "packages/core/test/a.test.ts";

function read(content: unknown, now = NOW) {
  const path = join(temporaryFolder(), "quarantine.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return readQuarantine(path, [FILE], now);
}
const entry = (more: object = {}) => ({ name: FILE, reason: "a port is taken at times", until: "2026-03-12", ...more });

test("an entry counts through its last day, which is at most seven days ahead", () => {
  for (const until of ["2026-03-10", "2026-03-12", "2026-03-17"])
    assert.deepEqual(read([entry({ until })]), { entries: [entry({ until })], faults: [] });
  assert.deepEqual(read([]), { entries: [], faults: [] });
});

for (const [what, content, said] of [
  ["that has ended", [entry({ until: "2026-03-09" })], /ended on 2026-03-09 \(a port is taken at times\)/],
  ["that ends too late", [entry({ until: "2026-03-18" })], /in more than 7 days/],
  ["that ends on no day", [entry({ until: "2026-02-31x" })], /ends on no day/],
  ["without a reason", [entry({ reason: "" })], /lacks its name, reason or until/],
  ["of no test file", [entry({ name: "packages/core/test/gone.test.ts" })], /no test file/],
  ["that is null", [null], /lacks its name, reason or until/],
  ["in an object", { [FILE]: entry() }, /not a list/],
  ["in a torn list", '[{"name": "', /cannot be read/],
] as const)
  test(`an entry ${what} excuses nothing, and is a fault`, () => {
    const { entries, faults } = read(content);
    assert.deepEqual(entries, []);
    assert.equal(faults.length, 1);
    assert.match(faults[0] ?? "", said);
  });

test("a missing list is a fault", () => {
  assert.equal(readQuarantine(join(temporaryFolder(), "none.json"), [FILE], NOW).faults.length, 1);
});

test("the committed list has no fault at the time of its commit", () => {
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  const { faults } = readQuarantine(new URL("../quarantine.json", import.meta.url), testFiles(root), commitTime(root));
  assert.deepEqual(faults, []);
});
