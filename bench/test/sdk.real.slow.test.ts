/** The bench of the SDK's queue: every queued event gets its receipt, and its rows have the promised form. */
import { test } from "node:test";
import { expectRows, quickly } from "./run-bench.ts";

test("every queued event gets its receipt", () => {
  expectRows(quickly("sdk", ["queue"]).rows, 2, ["receipts/s", "µs"]);
});

test("memory while events wait is measured", () => {
  expectRows(quickly("sdk", ["memory"]).rows, 2, ["MiB"]);
});
