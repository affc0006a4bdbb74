/** After a power cut at any moment, with any writes under way, everything that was handed out is there. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { hasTracer } from "../power/recording.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const skip = hasTracer() || process.env.CI ? false : "strace is not installed: a loss of power is NOT TESTED";

function chaos(...options: string[]) {
  return spawnSync(process.execPath, ["tools/chaos/power/main.ts", ...options], {
    cwd: ROOT,
    encoding: "utf8",
  });
}

test("75 disks: what was waited for, and any part of the rest, torn and in any order", { skip }, (t) => {
  const { status, stdout, stderr } = chaos("--rounds", "75", "--json");
  assert.equal(status, 0, stderr);
  const { rounds, seed, steps, events, byProgram, unsynced, receipts } = JSON.parse(stdout);
  t.diagnostic(`seed ${seed}: ${steps} steps recorded, ${events} receipts handed out, ${receipts} looked for`);
  assert.deepEqual([rounds, byProgram], [75, 1]);
  assert.ok(steps > 1000 && events > 200 && unsynced > 75 && receipts > 1000, stdout);
});

test("wrong options get exit code 64 and the usage, and start no trial", () => {
  for (const options of [["--rounds", "0"], ["--seed", "-1"], ["--other"], ["word"]]) {
    const { status, stdout, stderr } = chaos(...options);
    assert.deepEqual([status, stdout], [64, ""]);
    assert.match(stderr, /^usage: pnpm chaos:power /);
  }
});
