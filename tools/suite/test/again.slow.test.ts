/** `pnpm test:again` runs a file ten times under load, and lets none through that fails once. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@svc/testkit/temporary-folder";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

function again(names: readonly string[], environment: Record<string, string> = {}) {
  // The runner of this file must not take the other one for one of its files.
  const { NODE_TEST_CONTEXT: _, ...own } = process.env;
  const files = names.map((name) => `tools/suite/test/samples/${name}.mjs`);
  return spawnSync(process.execPath, ["tools/suite/again.ts", ...files], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...own, ...environment },
  });
}

test("a file that fails once in ten is reported, and red, also when the next file passes", () => {
  const { stdout, status } = again(["flaky", "passes"], { SVC_TEST_FLAG: join(temporaryFolder(), "flag") });
  assert.match(stdout, /samples\/flaky\.mjs: passed 9 of 10 under a load of 8\n/);
  assert.match(stdout, /samples\/passes\.mjs: passed 10 of 10 under a load of 8\n/);
  assert.equal(status, 1);
});

test("a file that always passes is green; without a file it says how it is used", () => {
  assert.equal(again(["passes"]).status, 0);
  const { status, stderr } = again([]);
  assert.equal(status, 64);
  assert.match(stderr, /^usage: pnpm test:again FILE/);
});
