/** The bench of anchors: their evidence verifies, and one transaction is enough for all streams. */
import { test } from "node:test";
import { expectRows, quickly } from "./run-bench.ts";

test("their evidence verifies, and one transaction is enough for all streams", () => {
  expectRows(quickly("anchors").rows, 9, ["ms", "bytes", "transactions"]);
});
