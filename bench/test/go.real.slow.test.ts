/** The bench of Go: verdicts, receipts and signatures are right, and its rows have the promised form. */
import { test } from "node:test";
import { expectRows, hasGo, quickly } from "./run-bench.ts";

const UNITS = ["ms", "bytes", "verifies/s", "MB/s", "records/s", "MiB", "receipts/s", "files/s", "µs"];

test("verdicts, receipts and signatures are right", { skip: hasGo ? false : "no Go" }, () => {
  expectRows(quickly("go").rows, 17, UNITS);
});
