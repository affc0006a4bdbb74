/** The bench of the kernel: its contenders agree, and its output has the promised form. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { run } from "./run-bench.ts";

const UNITS = ["ms", "bytes", "verifies/s", "digests/s", "leaves/s", "documents/s", "MB/s", "records/s"];

test("prints one JSON object, after all answers were found to be equal", () => {
  const { status, stdout, stderr } = run(["kernel", "--quick", "--json", "--no-native"]);
  assert.equal(status, 0, stderr);
  const { bench: name, quick, rounds, machine, rows } = JSON.parse(stdout);
  assert.deepEqual([name, quick, rounds], ["kernel", true, 3]);
  assert.equal(machine.node, process.versions.node);
  assert.match(machine.kernel_sha256, /^[0-9a-f]{64}$/);
  assert.equal(machine.native, "left out");
  assert.ok(rows.length > 10);
  for (const row of rows) {
    assert.ok(UNITS.includes(row.unit), row.unit);
    assert.equal(row.ratio, row.wasm / row.yardstick);
    assert.equal(row.native, null);
    assert.equal(typeof row.met, row.target === null ? "object" : "boolean");
  }
});
