import { test } from "node:test";

test("spins", () => {
  for (;;);
});
