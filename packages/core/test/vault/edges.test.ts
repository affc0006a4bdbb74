/**
 * The checks of vaults at their edges: the second at which a clock is ahead, the end of a key beside a disclosure, a
 * seal with another kid, and a signer whose word does not reach the stream.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { at, id, SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import {
  disclosureOf,
  issueVaultStream,
  OTHER_VAULT,
  sealedStatus,
  VAULT,
  vaultBundleOf,
} from "@svc/testkit/evidence/vaults";
import { type Json, kidOf, pinKeys, referenceKernel, type TrustPolicy, verify } from "../../src/index.ts";
import { custodiesOf } from "../../src/objects/assurance/events.ts";
import type { Attested } from "../../src/objects/assurance/level.ts";
import { Examination } from "../../src/report/examination.ts";
import { sealedBytes } from "../../src/seal.ts";
import { examineInstallationSeal } from "../../src/vault/installation-seal.ts";

const kernel = referenceKernel;
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
const UNTRUSTED_SIGNER = testSigner("elsewhere");
/** A signer whom the verifier trusts, and not for this stream. */
const ELSEWHERE = {
  kid: kidOf(kernel, UNTRUSTED_SIGNER.publicKeyHex),
  public_key_hex: UNTRUSTED_SIGNER.publicKeyHex,
  streams: [id("str", 9)],
};
const apart: TrustPolicy = { signers: [...trust.signers, ELSEWHERE] };

function found(value: unknown, policy: TrustPolicy = trust) {
  const { verdict, problems } = verify(Buffer.from(JSON.stringify(value)), { trust: policy as Json, kernel });
  return [verdict, ...problems.map(({ code, path }) => `${code} ${path}`)];
}

test("a vault's clock may be 300 s ahead of the service's, and no millisecond more", async () => {
  const received = (await issueVaultStream(1)).records[0]?.received_at ?? "";
  for (const [aheadMs, expected] of [
    [0, ["verified"]],
    [1, ["verified"]],
    [300_000, ["verified"]],
    [300_001, ["rejected", "vault_clock_ahead /contents/"]],
  ] as const) {
    const sealedAt = new Date(Date.parse(received) + aheadMs).toISOString();
    const evidence = await issueVaultStream(1, { stated: () => ({ sealedAt }) });
    assert.equal(evidence.records[0]?.received_at, received);
    const said = found(await vaultBundleOf(evidence)).map((each) => each.replace(/(contents\/).*/, "$1"));
    assert.deepEqual(said, expected, `${aheadMs}`);
  }
});

test("a disclosure sealed before the end of its key holds, and one from that instant on does not", async () => {
  const evidence = await issueVaultStream(2);
  const replaced = (revokedAt: string) =>
    sealedStatus(VAULT, {
      status: "replaced",
      revokedAt,
      revocationReason: "superseded",
      replacedByInstallationId: OTHER_VAULT.installationId,
      statusAt: at(3000),
    });
  for (const [end, expected] of [
    [at(2001), ["verified"]],
    [at(2000), ["rejected", "vault_key_revoked /seal/kid"]],
    [at(1999), ["rejected", "vault_key_revoked /seal/kid"]],
  ] as const) {
    const sealed = await disclosureOf(evidence, 1, { isSealed: true, keyStatus: await replaced(end) });
    assert.deepEqual(found(sealed), expected, end);
  }
});

test("a seal that states another kid is rejected, although the vault made the signature", async () => {
  const exam = new Examination(kernel, trust);
  exam.kind = "envelope";
  const key = { publicKeyHex: VAULT.signer.publicKeyHex, vouched: "pinned" } as const;
  const kid = kidOf(kernel, UNTRUSTED_SIGNER.publicKeyHex);
  const body = { a: 1 };
  const signature = Buffer.from(await VAULT.signer.sign(sealedBytes(kernel, "disclosure", body, kid))).toString("hex");
  examineInstallationSeal(exam, "disclosure", key, {
    tag: "disclosure",
    body: () => body,
    seal: { alg: "Ed25519", kid, signature } as never,
    path: "/seal",
    what: () => "it",
    code: "disclosure_signature_invalid",
  });
  exam.settle();
  const { verdict, problems } = exam.report();
  assert.deepEqual([verdict, problems.map(({ path }) => path)], ["rejected", ["/seal/kid"]]);
});

test("a status by a signer who is trusted for another stream does not count", async () => {
  const evidence = await issueVaultStream(2);
  const bundle = await vaultBundleOf(evidence);
  const revokedAt = at(-1);
  const ended = { status: "revoked", revokedAt, revocationReason: "unspecified", statusAt: at(3000) } as const;
  const told = (signer: typeof SERVICE) => sealedStatus(VAULT, ended, signer);
  assert.deepEqual(found(bundle, { ...apart, key_status: [await told(UNTRUSTED_SIGNER)] }), ["verified"]);
  assert.equal(found(bundle, { ...apart, key_status: [await told(SERVICE)] })[0], "rejected");
});

test("custody by certificates is a better basis than a ceremony, in any order, and only what counts is a basis", () => {
  const one = (custody: Attested["custody"], counts = true) =>
    ({ counts, custody, installationId: VAULT.installationId }) as Attested;
  for (const [attestations, best] of [
    [[], "none"],
    [[one("none")], "none"],
    [[one("ceremony")], "ceremony"],
    [[one("none"), one("ceremony")], "ceremony"],
    [[one("ceremony"), one("none")], "ceremony"],
    [[one("x509"), one("ceremony")], "x509"],
    [[one("ceremony"), one("x509")], "x509"],
    [[one("x509", false), one("ceremony")], "ceremony"],
    [[one("ceremony", false)], "none"],
  ] as const)
    assert.deepEqual(custodiesOf([VAULT.installationId], attestations), [best]);
});
