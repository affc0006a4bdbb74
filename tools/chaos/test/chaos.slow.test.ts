/**
 * Servers killed at failpoints and at any moment lose nothing that they have acknowledged, and start again by
 * themselves.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { failpointsOfServer } from "../failpoints.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

function chaos(...options: string[]) {
  return spawnSync(process.execPath, ["tools/chaos/main.ts", ...options], {
    cwd: ROOT,
    encoding: "utf8",
  });
}

test("kill -9 at every sixth failpoint, at any moment and while starting", (t) => {
  const { status, stdout, stderr } = chaos("--rounds", "10", "--one-in", "6", "--json");
  assert.equal(status, 0, stderr);
  const { rounds, seed, ends, receipts, repeated } = JSON.parse(stdout);
  t.diagnostic(`seed ${seed}: ${receipts} receipts, ${repeated} requests repeated`);
  const failpoints = failpointsOfServer();
  assert.ok(failpoints.includes("append: signed") && failpoints.includes("commit: due") && failpoints.length > 20);
  for (const name of ["moment", "start"]) assert.ok(ends[name] >= 1, `nothing was ended at ${name}`);
  const tried = failpoints.filter((name) => ends[name] >= 1);
  // Failpoints of commands and of the server are counted apart, and the seed says where each count begins.
  assert.ok(Math.abs(tried.length - failpoints.length / 6) < 2, tried.join());
  assert.equal(rounds, 10);
  assert.ok(receipts > 100 && repeated > 10, `${receipts} receipts, ${repeated} repeated`);
});

test("wrong options get exit code 64 and the usage, and start no trial", () => {
  for (const options of [
    ["--rounds", "0"],
    ["--rounds", "many"],
    ["--one-in", "0"],
    ["--seed", "-1"],
    ["--other"],
    ["word"],
  ]) {
    const { status, stdout, stderr } = chaos(...options);
    assert.deepEqual([status, stdout], [64, ""]);
    assert.match(stderr, /^usage: pnpm chaos /);
  }
});
