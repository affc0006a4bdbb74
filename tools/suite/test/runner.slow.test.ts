/** The report of a run: its last lines, files that fail once, and tests that are left out. */
import assert from "node:assert/strict";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@svc/testkit/temporary-folder";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Runs sample files as `pnpm test` does, with further variables. */
function runSamples(names: readonly string[], environment: Record<string, string> = {}): SpawnSyncReturns<string> {
  // The runner of this file must not take the other one for one of its files.
  const { NODE_TEST_CONTEXT: _, CI: __, ...own } = process.env;
  const files = names.map((name) => `tools/suite/test/samples/${name}.mjs`);
  return spawnSync(process.execPath, ["tools/suite/main.ts", "quick", ...files], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...own, ...environment },
  });
}

test("the slowest files, and those that used the processors most, are before the runner's closing lines", () => {
  const { stdout, status } = runSamples(["passes", "waits"]);
  assert.equal(status, 0, stdout);
  const place = "tools\\/suite\\/test\\/samples";
  const lines = `(?: +\\d+\\.\\d s  ${place}\\/(?:waits|passes)\\.mjs\\n){2}`;
  assert.match(stdout, new RegExp(`\\nThe slowest of 2 files:\\n${lines}\\n`));
  // The process that a file waited for counts as its own.
  const used = new RegExp(`in all; the most was used by:\\n +\\d+\\.\\d s  ${place}\\/waits\\.mjs\\n`);
  assert.match(stdout, used);
  assert.match(stdout, /\nIdle in the last fifth: \d+ % of a processor\.\n/);
  assert.match(stdout, /\n\nℹ tests 2\nℹ suites 0\nℹ pass 2\nℹ fail 0\n(?:ℹ \w+ 0\n){3}ℹ duration_ms [\d.]+\n$/);
});

test("a file that fails once is run again alone, told as flaky, and green", () => {
  const { stdout, status } = runSamples(["flaky", "passes"], { SVC_TEST_FLAG: join(temporaryFolder(), "flag") });
  assert.equal(status, 0, stdout);
  assert.match(stdout, /\nAgain, alone: tools\/suite\/test\/samples\/flaky\.mjs\n/);
  assert.match(stdout, /\nFLAKY tools\/suite\/test\/samples\/flaky\.mjs: fails once: the port was taken\n/);
  assert.match(stdout, /\nℹ tests 2\nℹ suites 0\nℹ pass 2\nℹ fail 0\n/);
});

test("a file that fails twice is red, and so is one that ends while it is loaded", () => {
  const { stdout, status } = runSamples(["fails", "ends", "passes"]);
  assert.equal(status, 1);
  assert.match(stdout, /\nFAILED tools\/suite\/test\/samples\/fails\.mjs: fails: it is wrong\n/);
  assert.match(stdout, /\nFAILED tools\/suite\/test\/samples\/ends\.mjs: /);
  assert.match(stdout, /\nℹ tests 3\nℹ suites 0\nℹ pass 1\nℹ fail 2\n/);
});

for (const [name, said] of [
  ["hangs", /samples\/hangs\.mjs has not ended within 1000 ms, and waits for: .*Timeout/],
  [
    "spins",
    /samples\/spins\.mjs is killed: for 1000 ms it has not come back to its event loop\. Its threads.*: \S+ R \d.*\n {2}\S+ file:\/\/\S+\/spins\.mjs:4\n/,
  ],
] as const)
  test(`a file that ${name} is ended at its limit and fails, and the output says what it does`, () => {
    const { NODE_TEST_CONTEXT: _, ...own } = process.env;
    const { stdout, stderr } = spawnSync(process.execPath, ["tools/suite/test/samples/run-hanging.ts", name], {
      cwd: ROOT,
      encoding: "utf8",
      env: own,
    });
    const { passed, failure } = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
    assert.equal(passed, false);
    assert.match(failure, new RegExp(`${name}\\.mjs: test failed`));
    assert.match(stdout + stderr, said);
  });

test("a test that is left out is listed with its reason, and fails under CI", () => {
  const { stdout, status } = runSamples(["left-out"]);
  assert.equal(status, 0, stdout);
  assert.match(stdout, /\nLeft out, 3 tests:\n {2}it is about files: for a listed reason\n {2}there is no disk: /);
  const underCi = runSamples(["left-out"], { CI: "true" });
  assert.equal(underCi.status, 1);
  assert.match(
    underCi.stdout,
    /\nFAILED .*left-out\.mjs: left out, and may not be: for a listed reason: it is about files/,
  );
});

test("on PostgreSQL a test that opens a database of SQLite fails; one that opens a lock passes", () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--import", "./tools/suite/no-sqlite.mjs", "--test", "--test-reporter=spec", "tools/suite/test/samples/opens.mjs"],
    { cwd: ROOT, encoding: "utf8", env: { PATH: process.env.PATH } },
  );
  assert.equal(status, 1);
  assert.match(stdout, /a run on PostgreSQL opens the SQLite database :memory:/);
  assert.match(stdout, /ℹ pass 1\nℹ fail 1\n/);
});

test("a name that is no test file is refused", () => {
  const { status, stderr } = runSamples(["gone"]);
  assert.equal(status, 64);
  assert.match(stderr, /no test file is called tools\/suite\/test\/samples\/gone\.mjs/);
});
