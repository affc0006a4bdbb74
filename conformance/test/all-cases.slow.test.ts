/**
 * Both kernels answer the cases rightly, and the committed cases are what the generator gives. The reference kernel is
 * slow, and answers a sample; lint asks the generator for all cases, with the compiled kernel.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { referenceKernel, selectKernel } from "@svc/core";
import { caseFiles } from "../case-set/case-set.ts";
import { BOTH_KERNELS } from "../generate/draft.ts";
import { FAMILIES, textOf } from "../generate/families.ts";
import { allCases, answersRightly } from "./cases.ts";
import { REPEAT, sample } from "./sample.ts";

const CASES = allCases(caseFiles());
const FOLDER = new URL("../cases/", import.meta.url);

test("the compiled kernel answers all cases rightly", () => {
  const kernel = selectKernel("wasm");
  for (const one of CASES) answersRightly(one, kernel);
});

test("the reference kernel answers a sample of the cases rightly", (t) => {
  t.diagnostic(REPEAT);
  for (const one of sample(CASES, 8)) answersRightly(one, referenceKernel);
});

test("the files are those of the families", () => {
  const names = Object.keys(FAMILIES).map((family) => `${family}.jsonl`);
  assert.deepEqual(readdirSync(FOLDER).sort(), names.sort());
});

test("the cases of some families are what the generator gives, with both kernels", async (t) => {
  t.diagnostic(REPEAT);
  for (const family of sample(Object.keys(FAMILIES), 5)) {
    const committed = readFileSync(new URL(`${family}.jsonl`, FOLDER), "utf8");
    assert.equal(await textOf(family, BOTH_KERNELS), committed, family);
  }
});
