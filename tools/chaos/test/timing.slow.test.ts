/**
 * Cases that must look alike get the same answer, word for word. Times are measured by hand; this test only
 * shows that they are measured.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

function chaos(...options: string[]) {
  return spawnSync(process.execPath, ["tools/chaos/timing/main.ts", ...options], {
    cwd: ROOT,
    encoding: "utf8",
  });
}

test("absent ids, those of another tenant, and credentials that are not in force: one answer each", () => {
  const { status, stdout, stderr } = chaos("--rounds", "20", "--json");
  assert.equal(status, 0, stderr);
  const { rows } = JSON.parse(stdout);
  const said = rows.map(({ subject, status: of }: { subject: string; status: number }) => `${subject} ${of}`);
  assert.deepEqual(
    [...new Set(said)],
    ["tickets 403", "streams 404", "receipts 404", "exports 404", "credentials 401"],
  );
  for (const { medianMs, errorMs, longer } of rows)
    assert.ok(medianMs > 0 && errorMs > 0 && longer >= 0 && longer <= 1);
});

test("wrong options get exit code 64 and the usage, and start no trial", () => {
  for (const options of [["--rounds", "0"], ["--seed", "-1"], ["--other"], ["word"]]) {
    const { status, stdout, stderr } = chaos(...options);
    assert.deepEqual([status, stdout], [64, ""]);
    assert.match(stderr, /^usage: pnpm chaos:timing /);
  }
});
