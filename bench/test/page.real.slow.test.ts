/** The bench of the page: its verdicts are right, and its rows have the promised form. */
import { test } from "node:test";
import { expectRows, quickly } from "./run-bench.ts";

test("its verdicts are right", () => {
  expectRows(quickly("page").rows, 6, ["ms", "bytes", "MiB"]);
});
