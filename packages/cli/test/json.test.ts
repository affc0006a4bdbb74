/** `--json` is core's report and nothing else, under the trust policy of the options. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Kind, kidOf, pinKeys, referenceKernel, selectKernel, verify } from "@svc/core";
import { SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { bundle, changed, KEY, PIN, put, receipt, svc, told } from "./svc.ts";

const other = testSigner("somebody else").publicKeyHex;
const kernel = referenceKernel;
const pinned = pinKeys(kernel, [SERVICE.publicKeyHex]);
const nasty = changed(bundle, ({ artifacts }) => {
  artifacts["windows.json"][0]["\u001b[2J\u009b\u202e\u2028\u007f\ufeff\u{e0041}"] = 1;
});

const inputs = { good: bundle, receipt, nasty, "not json": "{" };
for (const [name, content] of Object.entries(inputs)) {
  for (const [kind, command] of [
    ["bundle", ["bundles", "offline-verify"]],
    ["receipt", ["receipts", "verify"]],
  ] as const satisfies readonly (readonly [Kind, readonly string[]])[]) {
    test(`--json is core's report: ${name} as a ${kind}`, async () => {
      const text = typeof content === "string" ? content : JSON.stringify(content);
      const file = put(`${name} as ${kind}.json`, text);
      for (const [trust, options] of [
        [undefined, []],
        [pinned, PIN],
      ] as const) {
        const report = verify(new TextEncoder().encode(text), {
          kind,
          kernel: selectKernel(),
          ...(trust === undefined ? {} : { trust }),
        });
        const outcome = await svc([...command, "--file", file, "--json", ...options]);
        assert.equal(outcome.stderr, "");
        assert.deepEqual(told(JSON.parse(outcome.stdout)), told(report));
        assert.match(outcome.stdout, /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+\n$/u, "one line that a terminal shows as it is");
        assert.equal(outcome.code, { verified: 0, rejected: 1, untrusted: 2 }[report.verdict]);
      }
    });
  }
}

test("a trust policy's demands hold, and keys are pinned beside its signers", async () => {
  const signer = { kid: kidOf(kernel, other), public_key_hex: other };
  const call = async (policy: object, ...options: string[]) => {
    const file = put("policy.json", policy);
    const { stdout } = await svc([
      "bundles",
      "offline-verify",
      "--file",
      "march.bundle.json",
      "--json",
      "--trust",
      file,
      ...options,
    ]);
    const { verdict, problems } = JSON.parse(stdout);
    return [verdict, ...problems.map(({ code }: { code: string }) => code)];
  };
  assert.deepEqual(await call({ signers: [signer] }), ["untrusted", "key_not_pinned"]);
  assert.deepEqual(await call(pinned as object, "--public-key-hex", other), ["verified"]);
  assert.deepEqual(await call({ signers: [signer] }, ...PIN), ["verified"]);
  assert.deepEqual(await call({ signers: [] }, "--public-key-hex", other, ...PIN), ["verified"]);
  assert.deepEqual(await call({ signers: [], require: ["anchored"] }, ...PIN), ["rejected", "evidence_missing"]);
  const revoked = [kidOf(kernel, SERVICE.publicKeyHex)];
  assert.deepEqual(await call({ signers: [], revoked }, ...PIN), ["untrusted", "key_revoked"]);
});

test("several keys may be pinned; any of them may be the signer's", async () => {
  const { stdout, code } = await svc([
    "receipts",
    "verify",
    "--file",
    "loan-1005.receipt.json",
    "--public-key-hex",
    other,
    "--public-key-hex",
    KEY,
  ]);
  assert.match(stdout, /^VERIFIED /);
  assert.equal(code, 0);
});
