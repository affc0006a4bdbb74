/** The words beside reports about vaults: none says more than was checked, of a forged file as of a good one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Json, kidOf, pinKeys, type Report, referenceKernel, type TrustPolicy, verify } from "@svc/core";
import { at, SERVICE } from "@svc/testkit/evidence/service";
import {
  custodyOf,
  disclosureOf,
  inclusionOf,
  issueVaultStream,
  OTHER_VAULT,
  sealedStatus,
  VAULT,
  vaultBundleOf,
} from "@svc/testkit/evidence/vaults";
import { contentsOf, detailsOf, found, htmlOf, ladderOf, notChecked, sectionsOf, whoseKey } from "../src/index.ts";

const kernel = referenceKernel;
const pins = pinKeys(kernel, [SERVICE.publicKeyHex]);
const pinOf = ({ installationId, signer }: typeof VAULT) => ({
  installation_id: installationId,
  public_key_hex: signer.publicKeyHex,
});
const CUSTODY = "att_01k30000000000000000000001";
const evidence = await issueVaultStream(4, {
  stated: (no) => (no === 2 ? { assurance: { level: "L1", attestationRef: CUSTODY, startId: null } } : {}),
});
const custody = await custodyOf();
const bundle = await vaultBundleOf(evidence, { attestations: [custody] });
const disclosure = await disclosureOf(evidence, 2, { attestations: [custody] });

const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));
const reportOf = (value: unknown, trust: TrustPolicy = pins): Report =>
  verify(bytesOf(value), { kernel, trust: trust as unknown as Json });
const stepOf = (report: Report, name: string) => ladderOf(report).find((step) => step.name === name)?.text ?? "";

/** Returns the text of the page about a value. */
function pageOf(value: unknown, trust: TrustPolicy = pins): string {
  const [report, bytes] = [reportOf(value, trust), bytesOf(value)];
  const { above, below } = sectionsOf({
    report,
    bytes,
    contents: contentsOf(kernel, report, bytes),
    trust,
    linkKids: [],
    file: { name: "file.json", bytes: bytes.length, sha256Hex: "0".repeat(64) },
    checked: { at: "2026-03-01T00:00:00.000Z", seconds: 1 },
  });
  return [...above, ...below].map((section) => htmlOf(section)).join("\n");
}

test("what certificates show is said to be the service's word, which has been checked alone", () => {
  for (const value of [bundle, disclosure, custody]) {
    const report = reportOf(value);
    assert.equal(report.verdict, "verified");
    assert.match(stepOf(report, "vault"), /; the service says that by certificates/);
  }
});

test("a key may be pinned by the handover of a pinned one", () => {
  const report = reportOf(disclosure, { ...pins, vaults: [pinOf(VAULT)] });
  assert.match(stepOf(report, "vault"), /you pin its key, or one that handed over to it/);
});

test("where the service is pinned and the vault is not, nobody doubts the service", () => {
  for (const value of [bundle, disclosure]) {
    const trust = { ...pins, vaults: [pinOf(OTHER_VAULT)] };
    const report = reportOf(value, trust);
    assert.equal(report.verdict, "untrusted");
    const said = [...detailsOf(report, { trust }), ...ladderOf(report).map(({ text }) => text)].join("\n");
    assert.doesNotMatch(said, /you have not said is theirs|if the key is right|nobody you trust has told/);
    assert.match(said, /the service alone vouches for the vault/);
    assert.doesNotMatch(pageOf(value, trust), /does not carry its key/);
    assert.match(whoseKey(report, { trust }).join(" "), /from its owner/);
  }
});

test("what a status says of a key is found, also where something else is open", () => {
  const report = reportOf(disclosure, { ...pins, vaults: [pinOf(OTHER_VAULT)] });
  assert.match(JSON.stringify(found(report)), /by its status of/);
  assert.doesNotMatch(JSON.stringify(notChecked(report)), /by its status of/);
});

test("what is open beside keys asks for no key", async () => {
  const status_not_before = at(5000);
  const stale = pageOf(disclosure, { ...pins, status_not_before } as TrustPolicy);
  assert.match(stale, /vault_status_stale/);
  assert.doesNotMatch(stale, /does not carry its key|Whose key is it/);
});

test("a bare proof and a bare result are signed by nobody", () => {
  const report = reportOf(inclusionOf(bundle, 2).inclusion);
  assert.match(detailsOf(report, { trust: pins }).join("\n"), /nobody signed it by itself/);
  assert.match(stepOf(report, "signed"), /nobody has signed it/);
  assert.match(whoseKey(report, { trust: pins }).join(" "), /manifest/);
  const result = { schema: "SVC-PROVIDER-RESULT-001", version: "0.2", provider_id: "marker.one" };
  const detected = {
    ...result,
    ...{ provider_version: "1", operation: "detect", media: "image", detected: true, registration_ref: "r" },
    ...{ soft_binding: null, record_marked_asset_sha256: "4".repeat(64), presented_sha256: "5".repeat(64) },
    ...{ presented_matches_record: false, observed_at: at(0) },
  };
  const alone = reportOf(detected);
  assert.match(whoseKey(alone, { trust: pins }).join(" "), /disclosure/);
  assert.match(JSON.stringify(found(alone)), /presented_mismatch_observed/);
  assert.doesNotMatch(JSON.stringify(notChecked(alone)), /presented_mismatch_observed/);
});

test("of a seal that nothing could check it is not said that it holds", async () => {
  const startId = "0".repeat(64);
  const { envelopes } = await issueVaultStream(1, {
    stated: () => ({ assurance: { level: "L2", attestationRef: null, startId } as never }),
  });
  const report = reportOf(envelopes[0], { ...pins, vaults: [pinOf(VAULT)] });
  assert.equal(report.verdict, "verified");
  assert.doesNotMatch(stepOf(report, "signed"), /every signature in it/);
});

test("what is verified and no record is not called recorded", async () => {
  const trust = { ...pins, vaults: [pinOf(VAULT)] };
  const unrecorded = await disclosureOf(evidence, 1, { receipt: null });
  for (const value of [evidence.envelopes[0], await sealedStatus(VAULT), custody, unrecorded]) {
    assert.equal(reportOf(value, trust).verdict, "verified");
    assert.doesNotMatch(pageOf(value, trust), /What was recorded is unchanged/);
  }
  assert.match(pageOf(bundle, trust), /What was recorded is unchanged/);
});

test("a disclosure that a revoked key sealed says that the reader revoked the key", () => {
  const trust = { ...pins, revoked: [kidOf(kernel, VAULT.signer.publicKeyHex)] };
  const report = reportOf(disclosure, trust);
  assert.match(detailsOf(report, { trust }).join("\n"), /you revoked the key that sealed it/);
});
