/** The words of the ladder about what a file does not hold. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Report } from "@svc/core";
import { ladderOf } from "../src/index.ts";

function reportOf(name: string): Report {
  return JSON.parse(readFileSync(new URL(`../../../fixtures/reports/${name}.json`, import.meta.url), "utf8")) as Report;
}

test("of a bundle whose payloads are left out, no event is missing, and more is not said", () => {
  const report = reportOf("truth-package/good");
  assert.ok(report.assurance.redacted > 0 && report.assurance.complete);
  const { text } = ladderOf(report).find(({ name }) => name === "included") ?? assert.fail("included");
  assert.match(text, /; no event missing, none added$/);
  assert.doesNotMatch(text, /nothing missing/);
});
