/** The bench of PostgreSQL: the plans are those of indexes, and its rows have the promised form. */
import { test } from "node:test";
import { NO_POSTGRES } from "@svc/testkit/postgres";
import { expectRows, quickly } from "./run-bench.ts";

test("the plans are those of indexes, and keys are forgotten", { skip: NO_POSTGRES }, () => {
  expectRows(quickly("store", ["plans", "keys"]).rows, 19, ["ms", "µs"]);
});
