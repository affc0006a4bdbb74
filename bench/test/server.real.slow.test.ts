/** The bench of the server: every answer is a receipt that verifies, and its rows have the promised form. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { expectRows, hasGo, quickly, WITHOUT_PROGRAMS } from "./run-bench.ts";

test("every answer is a receipt that verifies; without Go, its rows say that Tessera was not measured", () => {
  const { rows } = quickly("server", ["singles", "batches"], WITHOUT_PROGRAMS);
  const missing = rows.filter((row) => row.ratio === null).map((row) => [row.yardstick, row.yardstick_name]);
  assert.deepEqual(missing, [[null, "Tessera, not measured: no Go"]]);
  expectRows(rows, 8, ["ms", "µs", "syncs", "processors", "receipts/s", "MiB"]);
});

test("where Go and the modules can be had, Tessera answers the same load, each request an index", () => {
  const row = quickly("server", ["singles"]).rows.find(({ yardstick_name }) => /Tessera/.test(yardstick_name));
  assert.ok(row !== undefined);
  if (hasGo && row.yardstick_name === "indexes of Tessera") expectRows([row], 1, [row.unit]);
  else assert.equal(row.yardstick_name, `Tessera, not measured: ${hasGo ? "`go mod download` fails" : "no Go"}`);
});
