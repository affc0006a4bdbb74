/** Evidence of vaults that must not pass: each with its verdict and its code, by both kernels. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { badVaults, tooLongBundle } from "@svc/testkit/evidence/bad-vaults";
import { disclosureOf, issueVaultStream } from "@svc/testkit/evidence/vaults";
import { crossCheck, verify } from "../src/index.ts";

for (const [name, { kind, text, trust, verdict, code }] of Object.entries(await badVaults())) {
  test(`${name} is ${verdict}: ${code}`, () => {
    const bytes = Buffer.from(text);
    const { report, cross_check } = crossCheck(bytes, { trust, kind });
    assert.equal(cross_check.first_difference, null);
    const codes = report.problems.map((problem) => problem.code as string);
    assert.deepEqual([report.verdict, codes.includes(code)], [verdict, true], `${codes}`);
    assert.notEqual(verify(bytes, { trust }).verdict, "verified");
    if (kind === "vault-attestation")
      assert.equal(report.checks.find(({ id }) => id === "attestation")?.status, "cannot_evaluate");
  });
}

test("a disclosure of 1 MiB holds, and a bundle of envelopes of 256 MiB + 1 does not", async () => {
  const disclosure = await disclosureOf(await issueVaultStream(2), 2);
  const { trust = { signers: [] } } = Object.values(await badVaults())[0] ?? {};
  const whole = Buffer.alloc(2 ** 20, " ");
  whole.write(JSON.stringify(disclosure));
  const held = verify(whole, { trust });
  assert.equal(held.verdict, "verified", `${held.problems.map(({ code, message }) => `${code} ${message}`)}`);
  const { verdict, problems } = verify(await tooLongBundle(), { trust });
  assert.deepEqual([verdict, problems.map(({ code }) => code)], ["rejected", ["unsupported_object"]]);
});
