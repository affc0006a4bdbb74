/** The words of the ladder about what a file does not hold. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Report } from "@svc/core";
import { detailsOf, ladderOf, type Reader } from "../src/index.ts";

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

test("a file whose seal alone is a stranger's is not said to have nothing of the key that you pinned", () => {
  const reader = { trust: { signers: [{ kid: "ed25519-1", public_key_hex: "1".repeat(64) }] } } as unknown as Reader;
  const said = (name: string) => detailsOf(reportOf(name), reader).at(-1) ?? "";
  assert.match(said("bundle/sealed-by-stranger"), /^not all of it is sealed by the key that you pinned\. Compare /);
  assert.match(said("truth-package/sealed-by-stranger"), /^not all of it is sealed by /);
  assert.match(said("receipt/unpinned"), /^not sealed by the key that you pinned\. Compare /);
});
