/**
 * The cases of the independent implementation, for every kind that this release verifies: verdict and code must agree,
 * and finding the kind from the bytes must give the same verdict. A case for which this release lacks something must
 * still not be `verified`. The slow tests hold both kernels to the same whole reports (cross-check.slow.test.ts).
 */
import assert from "node:assert/strict";
import { after } from "node:test";
import { assertMembers, inputBytes, vectorTests } from "@svc/testkit/vectors";
import { type Kind, verify } from "../src/index.ts";
import { INDEPENDENT_CASES, type IndependentCase } from "./independent-cases.ts";
import { assertWithoutVaults } from "./without-vaults.ts";

/**
 * Returns the feature that a case needs and this release does not verify, or null. Evidence of tokens and starts is not
 * judged: what brings some is not verified, unless it is refused for another reason.
 */
function lacking(one: IndependentCase, codes: readonly string[]): string | null {
  // Anchors have evidence too, of other members.
  const hasEvidence = /"(?:basis|ekCertificate)":/.test(new TextDecoder("latin1").decode(inputBytes(one)));
  const isRefused = one.verdict === "rejected" && one.code !== undefined && codes.includes(one.code);
  return hasEvidence && !isRefused ? "evidence of tokens and starts" : null;
}

const lacks = new Map<string, number>();

for (const path of INDEPENDENT_CASES) {
  vectorTests<IndependentCase>(path, "agrees in verdict and code", (one) => {
    const optional = ["input", "input_base64", "links", "code", "assurance_provenance", "reading"];
    assertMembers(one, ["name", "note", "kind", "trust", "verdict"], optional);
    const bytes = inputBytes(one);
    const options = { trust: one.trust, ...(one.links === undefined ? {} : { links: one.links }) };
    const report = verify(bytes, { ...options, kind: one.kind as Kind });
    assertWithoutVaults(bytes, { ...options, kind: one.kind as Kind }, report);
    const codes = report.problems.map((problem) => problem.code as string);
    const lack = lacking(one, codes);
    if (lack !== null) {
      lacks.set(lack, (lacks.get(lack) ?? 0) + 1);
      assert.notEqual(report.verdict, "verified", `what needs ${lack} must not be verified`);
      const { status } = report.checks.find(({ id }) => id === "attestation") ?? {};
      assert.ok(status === "cannot_evaluate" || status === "fail", `the check says ${status}`);
      return;
    }
    assert.equal(report.verdict, one.verdict, `${one.note}; got ${codes}`);
    if (one.code !== undefined) assert.ok(codes.includes(one.code), `wants ${one.code}, got ${codes}`);
    if (one.verdict === "verified") assert.deepEqual(codes, []);
    const { provenance } = report.assurance;
    // The cases state it only where the report may count.
    if (one.verdict !== "rejected")
      assert.deepEqual(provenance, one.assurance_provenance, "what the provenance assures");
    assert.equal(verify(bytes, options).verdict, one.verdict, "with the kind found from the bytes");
  });
}

after(() => {
  for (const [lack, count] of lacks) console.log(`# ${count} cases need ${lack}, left for a later release`);
});
