/**
 * The cases of the independent implementation, for every kind that this release verifies: verdict and code must agree,
 * and finding the kind from the bytes must give the same verdict. Both kernels must give the same whole report. A case
 * for which this release lacks something must still not be `verified`.
 */
import assert from "node:assert/strict";
import { after } from "node:test";
import { assertMembers, inputBytes, readVectorJson, vectorTests } from "@svc/testkit/vectors";
import { crossCheck, isKind, type Json, type Kind, verify } from "../src/index.ts";

interface Case {
  readonly note: string;
  readonly kind: string;
  readonly trust: { readonly [name: string]: Json };
  readonly links?: readonly Json[];
  readonly verdict: string;
  readonly code?: string;
  readonly reading?: string;
  readonly input?: string;
  readonly input_base64?: string;
}

/** Returns the feature that a case needs and this release does not verify, or null. */
function lacking(one: Case): string | null {
  if (!isKind(one.kind)) return `kind ${one.kind}`;
  if (one.input?.includes('"provenance_root"')) return "provenance bundles";
  return null;
}

const lacks = new Map<string, number>();

for (const folder of [
  "receipt",
  "portable-receipt",
  "stream",
  "window",
  "inclusion",
  "checkpoint",
  "consistency",
  "witness",
  "anchor",
  "fork",
  "key",
  "bundle",
  "truth-package",
]) {
  vectorTests(`proofstream/cases/${folder}`, ".json", "agrees in verdict and code", (file) => {
    const one = readVectorJson(file) as Case;
    assertMembers(one, ["note", "kind", "trust", "verdict"], ["input", "input_base64", "links", "code", "reading"]);
    const bytes = inputBytes(one);
    const options = { trust: one.trust, ...(one.links === undefined ? {} : { links: one.links }) };
    const lack = lacking(one);
    if (lack !== null) {
      lacks.set(lack, (lacks.get(lack) ?? 0) + 1);
      const { report, cross_check } = crossCheck(bytes, options);
      assert.ok(cross_check.agree, "the kernels disagree");
      assert.notEqual(report.verdict, "verified", `what needs ${lack} must not be verified`);
      return;
    }
    const { report, cross_check } = crossCheck(bytes, { ...options, kind: one.kind as Kind });
    assert.deepEqual(cross_check.first_difference, null, "the kernels disagree");
    const codes = report.problems.map((problem) => problem.code as string);
    assert.equal(report.verdict, one.verdict, `${one.note}; got ${codes}`);
    if (one.code !== undefined) assert.ok(codes.includes(one.code), `wants ${one.code}, got ${codes}`);
    if (one.verdict === "verified") assert.deepEqual(codes, []);
    assert.equal(verify(bytes, options).verdict, one.verdict, "with the kind found from the bytes");
  });
}

after(() => {
  for (const [lack, count] of lacks) console.log(`# ${count} cases need ${lack}, left for a later release`);
});
