/** Three servers on one PostgreSQL cluster lose nothing and contradict nothing, whatever fails around them. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { NO_PGBOUNCER } from "@svc/testkit/pgbouncer";
import { NO_SMALL_DISK } from "@svc/testkit/small-disk";
import { FAULTS, FULL_DISK } from "../store/faults.ts";

const ROUNDS = Object.keys({ ...FAULTS, ...FULL_DISK }).length;
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

function chaos(...options: string[]) {
  return spawnSync(process.execPath, ["tools/chaos/store/main.ts", ...options], {
    cwd: ROOT,
    encoding: "utf8",
  });
}

test("each fault once: kills, stops, silence, clocks, lost answers, a full disk, promotions", {
  skip: NO_PGBOUNCER,
}, (t) => {
  const { status, stdout, stderr } = chaos("--rounds", `${ROUNDS}`, "--json");
  assert.equal(status, 0, stderr);
  const { rounds, seed, faults, receipts, sentAgain } = JSON.parse(stdout);
  t.diagnostic(`seed ${seed}: ${receipts} receipts, ${sentAgain} requests sent again`);
  if (Object.keys(FULL_DISK).some((name) => !(name in faults))) t.diagnostic(NO_SMALL_DISK);
  for (const name of Object.keys(FAULTS)) assert.ok(faults[name] >= 1, `there was no "${name}"`);
  assert.equal(rounds, ROUNDS);
  assert.ok(receipts > 500 && sentAgain > 10, `${receipts} receipts, ${sentAgain} sent again`);
});

test("wrong options get exit code 64 and the usage, and start no trial", () => {
  for (const options of [["--rounds", "0"], ["--seed", "-1"], ["--other"], ["word"]]) {
    const { status, stdout, stderr } = chaos(...options);
    assert.deepEqual([status, stdout], [64, ""]);
    assert.match(stderr, /^usage: pnpm chaos:store /);
  }
});
