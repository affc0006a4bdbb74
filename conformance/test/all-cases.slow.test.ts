/** Both kernels answer every case of the set rightly, and all generated cases are what the generator gives. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { KERNEL_NAMES, kernelOrNull } from "@svc/testkit/kernels";
import { caseFiles } from "../case-set/case-set.ts";
import { BOTH_KERNELS } from "../generate/draft.ts";
import { FAMILIES, textOf } from "../generate/families.ts";
import { allCases, answersRightly } from "./cases.ts";

for (const name of KERNEL_NAMES)
  test(`${name} answers all cases rightly`, () => {
    const kernel = kernelOrNull(name) ?? assert.fail(name);
    for (const one of allCases(caseFiles())) answersRightly(one, kernel);
  });

test("the committed cases are what the generator gives, with both kernels", async () => {
  const folder = new URL("../cases/", import.meta.url);
  assert.deepEqual(
    readdirSync(folder).sort(),
    Object.keys(FAMILIES)
      .map((family) => `${family}.jsonl`)
      .sort(),
  );
  for (const family of Object.keys(FAMILIES))
    assert.equal(await textOf(family, BOTH_KERNELS), readFileSync(new URL(`${family}.jsonl`, folder), "utf8"), family);
});
