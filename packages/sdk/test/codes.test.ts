/** The codes that the types name are those that the service has: read from the sources, since types are gone when tests run. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ERRORS } from "@svc/api";

test("every code of the service is named, and no other", () => {
  const text = readFileSync(new URL("../src/codes.ts", import.meta.url), "utf8");
  const [, union = ""] = /export type ServiceCode =([^;]+);/.exec(text) ?? [];
  const named = [...union.matchAll(/"(\w+)"/g)].map(([, code]) => code);
  assert.deepEqual(named, Object.keys(ERRORS));
});
