import { existsSync, writeFileSync } from "node:fs";
import { test } from "node:test";

test("fails once", () => {
  const { SVC_TEST_FLAG } = process.env;
  if (existsSync(SVC_TEST_FLAG)) return;
  writeFileSync(SVC_TEST_FLAG, "");
  throw new Error("the port was taken");
});
