/**
 * Servers killed at every failpoint and at any moment lose nothing that they have acknowledged, and start again by
 * themselves.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { failpointsOfServer } from "../failpoints.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

function chaos(...options: string[]) {
  return spawnSync(process.execPath, ["--import", "tsx", "tools/chaos/main.ts", ...options], {
    cwd: ROOT,
    encoding: "utf8",
  });
}

test("50 rounds: kill -9 at each failpoint, at any moment and while starting", (t) => {
  const { status, stdout, stderr } = chaos("--rounds", "50", "--json");
  assert.equal(status, 0, stderr);
  const { rounds, seed, ends, receipts, repeated } = JSON.parse(stdout);
  t.diagnostic(`seed ${seed}: ${receipts} receipts, ${repeated} requests repeated`);
  const failpoints = failpointsOfServer();
  assert.ok(failpoints.includes("append: signed") && failpoints.includes("commit: due") && failpoints.length > 20);
  for (const name of [...failpoints, "moment", "start"]) assert.ok(ends[name] >= 1, `nothing was ended at ${name}`);
  assert.equal(rounds, 50);
  assert.ok(receipts > 500 && repeated > 50, `${receipts} receipts, ${repeated} repeated`);
});

test("what it does not understand is told, and is no trial", () => {
  for (const options of [["--rounds", "0"], ["--rounds", "many"], ["--seed", "-1"], ["--other"], ["word"]]) {
    const { status, stdout, stderr } = chaos(...options);
    assert.deepEqual([status, stdout], [64, ""]);
    assert.match(stderr, /^usage: pnpm chaos /);
  }
});
