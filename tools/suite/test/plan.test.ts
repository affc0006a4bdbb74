/** Which part of the tests runs a file, and the last lines of a run. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { filesOf, idleRunOf, partsOf, runsOf } from "../plan.ts";

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

test("the slow part ends with the quick tests of what stands on a database, on PostgreSQL", () => {
  assert.deepEqual(runsOf("quick", ROOT), [{ store: "sqlite", files: filesOf("quick", ROOT) }]);
  const [own, again, ...others] = runsOf("slow", ROOT);
  const idle = idleRunOf("slow", ROOT)?.files ?? [];
  assert.deepEqual([...(own?.files ?? []), ...idle].sort(), filesOf("slow", ROOT));
  assert.deepEqual([own?.store, others], ["sqlite", []]);
  const ofStores = filesOf("quick", ROOT).filter((file) => /^packages\/(?:host|server)\//.test(file));
  assert.deepEqual(again, { store: "postgres", files: ofStores });
});

test("files that need processor time alone run beside the others of the slow part, each once", () => {
  assert.equal(idleRunOf("quick", ROOT), null);
  const idle = idleRunOf("slow", ROOT);
  assert.ok(idle !== null && idle.files.length > 0);
  for (const file of idle.files) assert.match(file, /\.idle\.slow\.test\.ts$/);
  const [own] = runsOf("slow", ROOT);
  assert.deepEqual(
    idle.files.filter((file) => own?.files.includes(file)),
    [],
  );
});

/** Runs a sample file alone, with further variables. */
function runSample(name: string, environment: Record<string, string> = {}) {
  const reporter = "--test-reporter=./tools/suite/reporter.mjs";
  const hook = ["--import", "./tools/suite/no-sqlite.mjs"];
  return spawnSync(process.execPath, [...hook, "--test", reporter, `tools/suite/test/${name}`], {
    cwd: ROOT,
    encoding: "utf8",
    env: { PATH: process.env.PATH, ...environment },
  });
}

test("on PostgreSQL a test that opens a database of SQLite fails; a lock is none", () => {
  const { status, stdout } = runSample("opens.mjs");
  assert.equal(status, 1);
  assert.match(stdout, /a run on PostgreSQL opens the SQLite database :memory:/);
  assert.match(stdout, /ℹ pass 1\nℹ fail 1\n/);
});

test("a test that is left out makes the run fail, except for the reasons that are listed", () => {
  assert.equal(runSample("left-out.mjs").status, 0);
  const { status, stdout } = runSample("left-out.mjs", { SVC_TEST_LEFT_OUT: '["it is about files"]' });
  assert.equal(status, 1);
  assert.match(
    stdout,
    /\nLeft out, and may not be:\n {2}for another reason: there is no disk\n {2}without one: true\n\nℹ tests 3\n/,
  );
  const all = '["it is about files", "there is no disk", true]';
  assert.equal(runSample("left-out.mjs", { SVC_TEST_LEFT_OUT: all }).status, 0);
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

test("the files that used the most processor time stand there too, with the processes that they waited for", () => {
  const processor = join(temporaryFolder(), "processor");
  writeFileSync(processor, "");
  const { stdout } = spawnSync(
    process.execPath,
    [
      "--import=./tools/suite/processor.mjs",
      "--test",
      "--test-reporter=./tools/suite/reporter.mjs",
      ...["tools/suite/test/passes.mjs", "tools/suite/test/waits.mjs"],
    ],
    { cwd: ROOT, encoding: "utf8", env: { PATH: process.env.PATH, SVC_TEST_PROCESSOR: processor } },
  );
  const used =
    /\nProcessor time, \d+ s in all; the most was used by:\n((?: .*\n)+)\nℹ tests 2\n/.exec(stdout)?.[1] ?? "";
  assert.match(
    used,
    /^ +\d+\.\d s {2}tools\/suite\/test\/waits\.mjs\n +\d+\.\d s {2}tools\/suite\/test\/passes\.mjs\n$/,
  );
});
