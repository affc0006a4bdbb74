/** The gap of a missing event in the picture of its chain. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { referenceKernel, type TrustPolicy, verify } from "@svc/core";
import { chainsOf, contentsOf } from "../src/index.ts";

const kernel = referenceKernel;

function brokenIn(name: string) {
  const text = readFileSync(new URL(`../../../fixtures/cases/${name}.json`, import.meta.url), "utf8");
  const { input, trust } = JSON.parse(text) as { readonly input: string; readonly trust?: TrustPolicy };
  const bytes = new TextEncoder().encode(input);
  const report = verify(bytes, { kernel, ...(trust === undefined ? {} : { trust }) });
  const contents = contentsOf(kernel, report, bytes) ?? assert.fail("contents");
  return chainsOf(report, contents, trust).flatMap(({ brokenEvents }) => brokenEvents);
}

for (const [name, missing] of [
  ["bundle/event-removed", 5],
  ["stream/record-removed", 4],
] as const)
  test(`the gap of ${name} is at the missing event, and the event behind it is intact`, () => {
    const broken = brokenIn(name);
    assert.ok(broken.length > 0);
    for (const { no, isMissing } of broken) assert.deepEqual([no, isMissing], [missing, true]);
  });
