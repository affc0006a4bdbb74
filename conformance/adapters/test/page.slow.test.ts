/** The adapter of the page, on every case of `verify`. */
import assert from "node:assert/strict";
import { runtimeTest } from "@svc/testkit/runtimes";
import { caseFiles } from "../../case-set/case-set.ts";
import { allCases } from "../../test/cases.ts";
import { holdPage } from "./page.ts";

runtimeTest("the page gives the right report in every case", holdPage, async (hold) => {
  const cases = allCases(caseFiles()).filter(({ request }) => request.op === "verify");
  assert.ok(cases.length > 700, `${cases.length}`);
  const { passed, failed } = await hold(cases);
  assert.deepEqual(failed, []);
  assert.equal(passed.length, cases.length);
});
