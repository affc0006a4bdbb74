/** The kit takes for the check of a code that by which this implementation finds it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { selectKernel } from "@svc/core";
import { answer } from "../../packages/cli/src/conformance/answer.ts";
import { CODES, type ProblemCode } from "../../packages/core/src/report/codes.ts";
import { Examination } from "../../packages/core/src/report/examination.ts";
import { caseFiles } from "../case-set/case-set.ts";
import { OF_SEVERAL_CHECKS } from "../src/judge/problem-order.ts";
import { allCases } from "./cases.ts";

test("a code of one check is found by that check alone, in all cases", (t) => {
  const found = new Set<string>();
  const { reject, distrust } = Examination.prototype;
  t.mock.method(Examination.prototype, "reject", function (this: Examination, ...words: Parameters<typeof reject>) {
    found.add(`${words[1].code} ${words[0]}`);
    reject.apply(this, words);
  });
  t.mock.method(Examination.prototype, "distrust", function (this: Examination, ...words: Parameters<typeof distrust>) {
    found.add(`${words[0].code} ${words[2] ?? "trust"}`);
    distrust.apply(this, words);
  });
  const kernel = selectKernel();
  for (const { request } of allCases(caseFiles())) if (request.op === "verify") answer({ id: 1, ...request }, kernel);
  const pairs = [...found].map((pair) => pair.split(" ") as [ProblemCode, string]);
  assert.ok(pairs.length > 100, `${pairs.length} pairs`);
  for (const [code, check] of pairs) if (!OF_SEVERAL_CHECKS.has(code)) assert.equal(check, CODES[code].check, code);
});
