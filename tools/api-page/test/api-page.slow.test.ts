/** docs/api.md: complete, and equal to a real server's answers to a real curl. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { contractsOf } from "@svc/api";
import { pageInPlace } from "@svc/testkit/built";
import { apiPage, missing } from "../page.ts";

await pageInPlace();
const contracts = contractsOf({ withMetrics: true });

test("every route, error code and limit has its place on the page", () => {
  assert.deepEqual(missing(contracts), []);
});

test("every command on the page shows what the page says: else run `pnpm docs:api` and read what changed", async () => {
  const committed = readFileSync(new URL("../../../docs/api.md", import.meta.url), "utf8");
  const current = await apiPage(contracts);
  assert.deepEqual(current.split("\n"), committed.split("\n"));
});
