/** Which part of the tests runs a file, and the last lines of a run. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { filesOf, partsOf } from "../plan.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

test("the name of a file says which parts run it", () => {
  assert.deepEqual(partsOf("packages/core/test/verify.test.ts"), ["quick"]);
  assert.deepEqual(partsOf("packages/core/test/verify.prop.test.ts"), ["quick", "slow"]);
  assert.deepEqual(partsOf("packages/core/test/json.diff.test.ts"), ["quick", "slow"]);
  assert.deepEqual(partsOf("packages/cli/test/build.slow.test.ts"), ["slow"]);
});

test("the parts name files, each once, in the order of their names", () => {
  const [quick, slow] = [filesOf("quick", ROOT), filesOf("slow", ROOT)];
  for (const files of [quick, slow]) assert.deepEqual(files, [...new Set(files)].sort());
  assert.ok(quick.includes("tools/suite/test/plan.test.ts") && !slow.includes("tools/suite/test/plan.test.ts"));
  const inBoth = "packages/core/test/verify.prop.test.ts";
  assert.ok(quick.includes(inBoth) && slow.includes(inBoth));
});

test("the slowest files stand before the runner's closing lines", () => {
  const { stdout } = spawnSync(
    process.execPath,
    ["--test", "--test-reporter=./tools/suite/reporter.mjs", "tools/suite/test/passes.mjs"],
    { cwd: ROOT, encoding: "utf8", env: { PATH: process.env.PATH } },
  );
  assert.match(stdout, /\nThe slowest of 1 files:\n +\d+\.\d s {2}tools\/suite\/test\/passes\.mjs\n\nℹ tests 1\n/);
  assert.match(stdout, /ℹ duration_ms [\d.]+\n*$/);
});
