/** The bench of `svc`: the verdicts of whole processes are right, and its rows have the promised form. */
import { test } from "node:test";
import { expectRows, quickly } from "./run-bench.ts";

test("the verdicts of whole processes are right", () => {
  expectRows(quickly("cli").rows, 11, ["ms", "files/s", "receipts/s"]);
});
