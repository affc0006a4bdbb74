/**
 * The append queue loses nothing, doubles nothing and keeps the order, whichever process is killed and whatever the
 * network does.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { MISHAPS } from "../queue/unreliable-proxy.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

function chaos(...options: string[]) {
  return spawnSync(process.execPath, ["tools/chaos/queue/main.ts", ...options], {
    cwd: ROOT,
    encoding: "utf8",
  });
}

test("20 rounds: kill -9 of the program that queues and of the server, behind a proxy that does what networks do", (t) => {
  const { status, stdout, stderr } = chaos("--rounds", "20", "--json");
  assert.equal(status, 0, stderr);
  const { rounds, seed, ends, events, mishaps, receiptsToldAgain } = JSON.parse(stdout);
  t.diagnostic(`seed ${seed}: ${events} events, ${receiptsToldAgain} receipts told again, ${JSON.stringify(mishaps)}`);
  assert.equal(rounds, 20);
  for (const name of ["program", "server", "both", "nothing"]) assert.ok(ends[name] >= 2, `${name}: ${ends[name]}`);
  for (const mishap of MISHAPS) assert.ok(mishaps[mishap] >= 1, `nothing was ${mishap}`);
  assert.ok(events > 200 && receiptsToldAgain > 0, `${events} events`);
});

test("wrong options get exit code 64 and the usage, and start no trial", () => {
  for (const options of [["--rounds", "0"], ["--seed", "-1"], ["--other"], ["word"]]) {
    const { status, stdout, stderr } = chaos(...options);
    assert.deepEqual([status, stdout], [64, ""]);
    assert.match(stderr, /^usage: pnpm chaos:queue /);
  }
});
