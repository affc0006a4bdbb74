/** docs/api: complete, and equal to a real server's answers to a real curl. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contractsOf } from "@svc/api";
import { pageInPlace } from "@svc/testkit/built";
import { committedPages, linesOf } from "../committed.ts";
import { missing } from "../missing.ts";
import { apiPages } from "../page.ts";

await pageInPlace();
const contracts = contractsOf({ withMetrics: true });

test("every route, error code and limit has its place on a page", () => {
  assert.deepEqual(missing(contracts), []);
});

test("every command on a page shows what the page says: else run `pnpm docs:api` and read what changed", async () => {
  assert.deepEqual(linesOf(await apiPages(contracts)), committedPages());
});
