/** A witness that is killed at every step never signs two trees of one size, and goes on where it was. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const STEPS = ["witness: signed", "commit: due", "commit: done", "witness: stored", "witness: marked", "moment"];

function chaos(...options: string[]) {
  return spawnSync(process.execPath, ["tools/chaos/witness/main.ts", ...options], {
    cwd: ROOT,
    encoding: "utf8",
  });
}

test("40 kills between check, store, mark and answer: one root for each size", (t) => {
  const { status, stdout, stderr } = chaos("--rounds", "40", "--json");
  assert.equal(status, 0, stderr);
  const { rounds, seed, kills, sizes, cosignatures } = JSON.parse(stdout);
  t.diagnostic(`seed ${seed}: ${cosignatures} cosignatures`);
  assert.deepEqual([rounds, sizes], [40, 41]);
  for (const step of STEPS) assert.ok(kills[step] >= 6, `${step}: ${kills[step]}`);
});

test("wrong options get exit code 64 and the usage, and start no trial", () => {
  for (const options of [["--rounds", "0"], ["--seed", "-1"], ["--other"], ["word"]]) {
    const { status, stdout, stderr } = chaos(...options);
    assert.deepEqual([status, stdout], [64, ""]);
    assert.match(stderr, /^usage: pnpm chaos:witness /);
  }
});
