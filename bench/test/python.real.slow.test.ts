/** The bench of Python: verdicts and receipts are right, and its rows have the promised form. */
import { test } from "node:test";
import { expectRows, quickly } from "./run-bench.ts";

test("the verdicts of all programs are right", () => {
  const { rows } = quickly("python", ["bundle", "signatures", "start"]);
  expectRows(rows, 10, ["ms", "verifies/s", "receipts/s", "MiB"]);
});

test("every queued event gets its receipt", () => {
  expectRows(quickly("python", ["queue"]).rows, 2, ["receipts/s", "µs"]);
});

test("memory while events wait is measured", () => {
  expectRows(quickly("python", ["waiting"]).rows, 2, ["MiB"]);
});
