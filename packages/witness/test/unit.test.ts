/** The systemd unit: systemd takes it, and it leaves little open. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@svc/testkit/temporary-folder";

const UNIT = readFileSync(new URL("../../../deploy/svc-witness.service", import.meta.url), "utf8");
const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
const skip = hasSystemd ? false : "systemd-analyze is not installed: the unit is NOT TESTED";

test("systemd takes the unit, and it leaves little open", { skip }, () => {
  const file = join(temporaryFolder(), "svc-witness.service");
  writeFileSync(file, UNIT.replaceAll("/usr/bin/node", process.execPath));
  const verified = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
  assert.deepEqual([verified.status, verified.stderr], [0, ""]);
  // The threshold is 2.0 on a scale of ten, where ten is open to everybody.
  const words = ["security", "--offline=true", "--threshold=20", file];
  const security = spawnSync("systemd-analyze", words, { encoding: "utf8" });
  assert.equal(security.status, 0, security.stdout);
});
