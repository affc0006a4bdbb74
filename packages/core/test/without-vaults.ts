/** The verifier without the evidence of vaults: it says the same as the whole one, or rejects. */
import assert from "node:assert/strict";
import { type Report, selectKernel, TRUST_PATH } from "../src/index.ts";
import { examineEvidence } from "../src/objects/anchor/evidence.ts";
import { examineTruthPackage } from "../src/verify/truth-package/examine.ts";
import { type VerifierOptions, verify } from "../src/verify/verifier.ts";

/**
 * Asserts that a verifier that judges no evidence of vaults gives this report of the whole verifier, or rejects the
 * object and names what it does not judge.
 */
export function assertWithoutVaults(bytes: Uint8Array, options: Omit<VerifierOptions, "kernel">, whole: Report): void {
  const own = verify(bytes, {
    ...options,
    kernel: selectKernel(),
    packages: examineTruthPackage,
    chain: examineEvidence,
  });
  if (own.verdict !== "rejected" || whole.verdict === "rejected") {
    if (own.verdict !== "rejected") assert.deepEqual(own, whole, "without the evidence of vaults");
    return;
  }
  const isNamed = own.problems.some(({ code, path }) => code === "unsupported_object" || path.startsWith(TRUST_PATH));
  assert.ok(isNamed, `without the evidence of vaults: ${own.problems.map(({ code }) => code)}`);
}
