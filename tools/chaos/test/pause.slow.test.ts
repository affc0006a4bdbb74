/** A server that is stopped at any place and continues loses nothing, doubles nothing and gets stuck nowhere. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const skip = existsSync("/proc/self/stat") ? false : "there is no /proc here: stopped servers are NOT TESTED";

function chaos(...options: string[]) {
  return spawnSync(process.execPath, ["tools/chaos/pause/main.ts", ...options], {
    cwd: ROOT,
    encoding: "utf8",
  });
}

test("3 pauses longer than a lease: at any moment, and in the middle of commits", { skip }, (t) => {
  const { status, stdout, stderr } = chaos("--rounds", "3", "--seconds", "4", "--json");
  assert.equal(status, 0, stderr);
  const { seed, stops, receipts, sentAgain, bodies } = JSON.parse(stdout);
  t.diagnostic(
    `seed ${seed}: ${receipts} receipts, ${sentAgain} requests sent again, bodies ${JSON.stringify(bodies)}`,
  );
  assert.deepEqual(stops, { moment: 1, "append: signed": 1, "commit: due": 1 });
  assert.ok(receipts > 50 && sentAgain > 0, stdout);
});

test("wrong options get exit code 64 and the usage, and start no trial", () => {
  for (const options of [["--rounds", "0"], ["--seconds", "long"], ["--seed", "-1"], ["--other"], ["word"]]) {
    const { status, stdout, stderr } = chaos(...options);
    assert.deepEqual([status, stdout], [64, ""]);
    assert.match(stderr, /^usage: pnpm chaos:pause /);
  }
});
