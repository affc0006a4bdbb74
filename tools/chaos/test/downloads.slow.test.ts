/**
 * Downloads finish with the right bytes, however often the server is killed, and each access is recorded once, before
 * its first byte.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

function chaos(...options: string[]) {
  return spawnSync(process.execPath, ["tools/chaos/downloads/main.ts", ...options], {
    cwd: ROOT,
    encoding: "utf8",
  });
}

test("8 kills under downloads of 5,000 events", (t) => {
  const { status, stdout, stderr } = chaos("--rounds", "8", "--events", "5000", "--json");
  assert.equal(status, 0, stderr);
  const { seed, kills, finished, resumed, lostTickets, sizeBytes } = JSON.parse(stdout);
  t.diagnostic(
    `seed ${seed}: ${finished} downloads of ${sizeBytes} bytes, ${resumed} went on, ${lostTickets} tickets lost`,
  );
  assert.equal(kills, 8);
  assert.ok(finished >= 4 && resumed > 0, stdout);
});

test("wrong options get exit code 64 and the usage, and start no trial", () => {
  for (const options of [["--rounds", "0"], ["--events", "none"], ["--seed", "-1"], ["--other"], ["word"]]) {
    const { status, stdout, stderr } = chaos(...options);
    assert.deepEqual([status, stdout], [64, ""]);
    assert.match(stderr, /^usage: pnpm chaos:downloads /);
  }
});
