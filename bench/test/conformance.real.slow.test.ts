/** The bench of the conformance kit: every case passes, and its rows have the promised form. */
import { test } from "node:test";
import { expectRows, quickly } from "./run-bench.ts";

test("every case passes", () => {
  expectRows(quickly("conformance").rows, 3, ["cases/s", "ms", "MiB"]);
});
