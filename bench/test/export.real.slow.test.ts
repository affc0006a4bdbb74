/** The bench of exports: packages verify, and archives are read whole, and its rows have the promised form. */
import { test } from "node:test";
import { expectRows, quickly } from "./run-bench.ts";

test("packages verify, and archives are read whole", () => {
  expectRows(quickly("export").rows, 9, ["events/s", "MB/s", "MiB"]);
});
