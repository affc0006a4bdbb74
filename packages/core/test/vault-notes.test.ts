/**
 * The notes and sentences about evidence of vaults: each is true of the file that it is said of, also of a forged one.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { at, SERVICE } from "@svc/testkit/evidence/service";
import {
  custodyOf,
  disclosureOf,
  inclusionOf,
  issueVaultStream,
  sealedStatus,
  VAULT,
  vaultBundleOf,
} from "@svc/testkit/evidence/vaults";
import {
  type CheckId,
  issueIvcEpoch,
  issueProviderPolicy,
  type Json,
  kidOf,
  pinKeys,
  providerPolicyDigest,
  type Report,
  referenceKernel,
  verify,
} from "../src/index.ts";

const kernel = referenceKernel;
const pins = pinKeys(kernel, [SERVICE.publicKeyHex]);
const vaults = [{ installation_id: VAULT.installationId, public_key_hex: VAULT.signer.publicKeyHex }];
const trust = { ...pins, vaults };
const evidence = await issueVaultStream(4, { perWindow: 2, perCheckpoint: 2 });
const bundle = await vaultBundleOf(evidence);
const sealed = await disclosureOf(evidence, 2, { audience: "reader", nonce: "once", isSealed: true });
const BROKEN = "00".repeat(64);

function reportOf(value: unknown, more: { readonly trust?: object; readonly inclusion?: unknown } = {}): Report {
  const { inclusion } = more;
  const beside = inclusion === undefined ? {} : { inclusion: inclusion as Json };
  return verify(Buffer.from(JSON.stringify(value)), { trust: (more.trust ?? trust) as Json, ...beside, kernel });
}

function noteOf({ checks }: Report, id: CheckId): string {
  return checks.find((check) => check.id === id)?.note ?? "";
}

/** Returns a copy of the disclosure with another value at a place. */
function withOther(value: unknown, ...place: readonly (string | number)[]): unknown {
  const copy: unknown = structuredClone(sealed);
  const owner = place.slice(0, -1).reduce((at, name) => (at as never)[name], copy);
  Object.assign(owner as object, { [place.at(-1) ?? ""]: value });
  return copy;
}

test("the report says what is opened for a disclosure that holds, and for no forged one", () => {
  const good = reportOf(sealed);
  assert.equal(good.verdict, "verified");
  assert.match(
    noteOf(good, "disclosure"),
    /^5 of 8 leaves opened: .*; 3 stay closed; sealed for the reader "reader", on/,
  );
  const more = sealed.fields.flatMap((field) => [field, field]);
  for (const forged of [
    withOther("Somebody", "fields", 4, "value"),
    withOther("0".repeat(64), "fields", 0, "blind"),
    withOther("somebody", "audience"),
    withOther(BROKEN, "seal", "signature"),
    withOther(more, "fields"),
  ]) {
    const report = reportOf(forged);
    assert.equal(report.verdict, "rejected");
    assert.equal(noteOf(report, "disclosure"), "");
  }
});

test("the report says what a status and a receipt say of a key if both hold, and not if one is forged", async () => {
  assert.match(noteOf(reportOf(sealed), "vault_key"), /^by its status of .* the key is active/);
  const keyStatus = await sealedStatus(VAULT, {
    status: "revoked",
    revocationReason: "key_compromise",
    revokedAt: at(1),
  });
  const ended = reportOf(await disclosureOf(evidence, 2, { keyStatus }));
  assert.deepEqual([ended.verdict, ended.problems[0]?.code], ["rejected", "vault_key_revoked"]);
  assert.match(
    noteOf(ended, "vault_key"),
    /the key ended at .*; the service received the event at .*, not before that$/,
  );
  for (const forged of [
    withOther(BROKEN, "keyStatus", "seal", "signature"),
    withOther(at(1), "keyStatus", "enrolledAt"),
    withOther(at(900), "receipt", "receipt", "received_at"),
    withOther(BROKEN, "receipt", "receipt", "receipt", "signature"),
  ]) {
    const report = reportOf(forged);
    assert.equal(report.verdict, "rejected");
    assert.equal(noteOf(report, "vault_key"), "", JSON.stringify(report.problems));
  }
});

test("the report names the root of a range, and a capsule's place under it, only if they hold", () => {
  const { inclusion } = inclusionOf(bundle, 3);
  const beside = reportOf(bundle, { inclusion });
  assert.equal(beside.verdict, "verified");
  assert.match(noteOf(beside, "provenance"), /^the capsule .* of event 3 is leaf 3 of 4 under the root /);
  assert.match(noteOf(reportOf(bundle), "provenance"), /^the root over 4 events is [0-9a-f]{64}$/);
  const other = reportOf(bundle, { inclusion: { ...inclusion, capsule_root: "0".repeat(64) } });
  const count = { ...bundle.manifest, provenance_event_count: 5 };
  for (const forged of [other, reportOf({ ...bundle, manifest: count })]) {
    assert.equal(forged.verdict, "rejected");
    assert.equal(noteOf(forged, "provenance"), "");
  }
});

test("no service is said to have answered a record, or to have recorded an envelope, where none has", async () => {
  const said = ({ proves, does_not_prove }: Report) => [...proves, "but not", ...does_not_prove].join("; ");
  const attestation = await custodyOf();
  const told = reportOf(attestation);
  const alone = reportOf({ ...attestation, result: null });
  assert.deepEqual([told.verdict, alone.verdict], ["verified", "verified"]);
  assert.match(said(told), /^a vault attested its key, and the service says what it found;/);
  assert.match(said(alone), /^a vault attested its key;.*but not;.*no service says that its nonce was fresh/);
  assert.match(noteOf(told, "attestation"), /: what it showed is the word of the result's signer$/);
  assert.match(noteOf(alone, "attestation"), /: nobody says what it showed$/);
  const unrecorded = reportOf(await disclosureOf(evidence, 2, { receipt: null }));
  assert.equal(unrecorded.verdict, "verified");
  assert.match(said(unrecorded), /but not;.*that any service recorded it, or when it was made/);
  assert.doesNotMatch(said(reportOf(sealed)), /that any service recorded it/);
});

test("trust is not said to reach the key of a vault that nobody has told", () => {
  const statusOf = ({ checks }: Report) => checks.find(({ id }) => id === "trust")?.status;
  const envelope = evidence.envelopes[0];
  assert.deepEqual(
    [reportOf(envelope), reportOf(envelope, { trust: pins })].map((report) => [report.verdict, statusOf(report)]),
    [
      ["verified", "pass"],
      ["untrusted", "cannot_evaluate"],
    ],
  );
});

/** The words with which a problem sends its reader to accuse the service of a fault. */
const BLAMES = /issued something wrong|evidence against the service/;

/** Returns the problems that accuse the service although nothing else may be wrong for that. */
function blaming({ problems }: Report): string[] {
  return problems.flatMap(({ code, action }) =>
    BLAMES.test(action) && !action.includes("if nothing else in it is wrong") ? [code] : [],
  );
}

test("what a holder can make by exchanging parts accuses no service", async () => {
  const other = await disclosureOf(evidence, 3);
  const attestation = await custodyOf();
  const shown = inclusionOf(bundle, 3);
  const envelopes = bundle.artifacts["provenance.json"]?.envelopes ?? [];
  const artifact = { ...bundle.artifacts["provenance.json"], envelopes: [...envelopes].reverse() };
  for (const [code, forged] of [
    ["envelope_record_mismatch", { ...sealed, receipt: other.receipt }],
    ["provenance_root_mismatch", { ...shown, inclusion: { ...shown.inclusion, provenance_root: "0".repeat(64) } }],
    ["provenance_root_mismatch", { ...bundle, artifacts: { ...bundle.artifacts, "provenance.json": artifact } }],
    [
      "vault_lifecycle_mismatch",
      { ...shown, inclusion: { ...shown.inclusion, installation_id: "ins_01k30000000000000000000009" } },
    ],
    ["attestation_result_mismatch", { ...attestation, record: { ...attestation.record, createdAt: at(-12) } }],
  ] as const) {
    const report = reportOf(forged);
    assert.ok(
      report.problems.some((problem) => problem.code === code),
      `${code}: ${JSON.stringify(report.problems)}`,
    );
    assert.deepEqual(blaming(report), []);
  }
});

test("a status whose seal does not hold contradicts none", async () => {
  const key_status = [await sealedStatus(VAULT)];
  const { manifest } = bundle;
  const [life] = manifest.vault_key_lifecycle ?? [];
  const forgedLife = { ...manifest, vault_key_lifecycle: [{ ...life, enrolledAt: at(-2000) }] };
  const shown = inclusionOf(bundle, 3);
  const status = await sealedStatus(VAULT);
  for (const forged of [
    withOther(at(-2000), "keyStatus", "enrolledAt"),
    { ...status, enrolledAt: at(-2000) },
    { ...bundle, manifest: forgedLife },
    { ...shown, manifest: forgedLife },
  ]) {
    const report = reportOf(forged, { trust: { ...trust, key_status } });
    const codes = report.problems.map(({ code }) => code);
    assert.ok(codes.includes("signature_invalid"), JSON.stringify(codes));
    assert.ok(!codes.includes("vault_lifecycle_conflict"), JSON.stringify(codes));
    assert.deepEqual(blaming(report), []);
  }
});

test("a vault's key that the verifier revokes counts no more", async () => {
  const revoked = [kidOf(kernel, VAULT.signer.publicKeyHex)];
  for (const trusted of [trust, pins])
    for (const value of [sealed, bundle, evidence.envelopes[0], await custodyOf(), await sealedStatus(VAULT)]) {
      const { verdict, problems } = reportOf(value, { trust: { ...trusted, revoked } });
      const codes = problems.map(({ code }) => code);
      assert.equal(verdict, "untrusted", JSON.stringify(codes));
      if (value !== evidence.envelopes[0] || trusted === trust) assert.ok(codes.includes("key_revoked"));
    }
});

test("what nothing told is not said: a provider, the end of a key, a start seal, opened values", async () => {
  const withheld = await disclosureOf(evidence, 2, { names: [] });
  const { content: _content, ...envelope } = withheld.envelope;
  const nothing = reportOf({ ...withheld, envelope });
  assert.equal(nothing.verdict, "verified");
  assert.match(noteOf(nothing, "provider"), /^the content is not here/);
  assert.match(nothing.proves[0] ?? "", /^a vault sealed this envelope, .* and committed in it to what is opened here/);
  assert.match(noteOf(reportOf(envelope), "provider"), /^the content is not here/);
  assert.match(noteOf(reportOf(envelope), "vault_key"), /^no status of the key is here/);
  assert.match(noteOf(reportOf(await custodyOf()), "vault_key"), /^no status of the key is here/);
  const startId = "0".repeat(64);
  const claimed = await issueVaultStream(2, {
    stated: () => ({ assurance: { level: "L2", attestationRef: null, startId } as never }),
  });
  for (const unchecked of [claimed.envelopes[1], await disclosureOf(claimed, 2)]) {
    const report = reportOf(unchecked);
    assert.equal(report.verdict, "verified");
    assert.match(noteOf(report, "envelope"), /start seal was not checked/);
  }
});

test("a mark's mismatch is reported beside what was not checked of its provider", async () => {
  const policy = await issueProviderPolicy(kernel, SERVICE, { policyVersion: 1, providers: [], updatedAt: at(0) });
  const result = {
    schema: "SVC-PROVIDER-RESULT-001",
    version: "0.2",
    provider_id: "marker.one",
    provider_version: "3.1.4",
    operation: "detect",
    media: "image",
    detected: true,
    registration_ref: "reg-0001",
    soft_binding: null,
    record_marked_asset_sha256: "4".repeat(64),
    presented_sha256: "5".repeat(64),
    presented_matches_record: false,
    observed_at: at(0),
  };
  const metadata = {
    mediaClass: "image",
    operation: "detect",
    providerId: "marker.one",
    providerPolicyDigest: providerPolicyDigest(kernel, policy),
    providerResult: { schema: "SVC-PROVIDER-RESULT-001", version: "0.2" },
    softBindingAlg: null,
  } as const;
  const detected = await issueVaultStream(2, {
    further: ["providerResult"],
    furtherValue: () => result,
    stated: () => ({ metadata }),
  });
  const note = noteOf(reportOf(await disclosureOf(detected, 2)), "provider");
  assert.match(note, /presented_mismatch_observed/);
  assert.match(note, /the provider policy that it names is not here/);
});

test("an attestation in force before a key's end, told backwards, is no proof of time", async () => {
  const status = () =>
    ({
      status: "revoked",
      revocationReason: "decommissioned",
      revokedAt: at(500),
      revocationInstantReconstructed: true,
    }) as const;
  const report = reportOf(await vaultBundleOf(evidence, { attestations: [await custodyOf()], status }));
  assert.equal(report.verdict, "verified", JSON.stringify(report.problems));
  assert.doesNotMatch(noteOf(report, "vault_key"), /proofs of time/);
});

test("a bare proof is said to be signed by nobody, and asks for what would sign it", () => {
  const { inclusion } = inclusionOf(bundle, 3);
  const { verdict, problems, proves, does_not_prove } = reportOf(inclusion);
  assert.equal(verdict, "untrusted");
  assert.match(problems[0]?.action ?? "", /the manifest of its range/);
  assert.match(proves[0] ?? "", /^the capsule of event 3/);
  assert.ok(does_not_prove.includes("that anybody signed that root"));
});

test("a reader who pins other vaults is referred to this vault's owner, not to the service", () => {
  const others = [{ installation_id: "ins_01k30000000000000000000009", public_key_hex: VAULT.signer.publicKeyHex }];
  const { verdict, problems } = reportOf(sealed, { trust: { ...pins, vaults: others } });
  assert.equal(verdict, "untrusted");
  assert.match(problems[0]?.action ?? "", /the vault's own key from its owner/);
});

test("an epoch whose checkpoints are not here shows nothing of checkpoints", async () => {
  const [checkpoint] = evidence.checkpoints;
  assert.ok(checkpoint !== undefined);
  const made = { ivc_epoch_id: "ivc_01k30000000000000000000001", created_at: at(500), previous: null };
  const { checkpoints: _checkpoints, ...absent } = await issueIvcEpoch(kernel, SERVICE, {
    ...made,
    checkpoints: [checkpoint],
  });
  const { verdict, proves } = reportOf(absent);
  assert.equal(verdict, "untrusted");
  assert.doesNotMatch(proves.join("; "), /the checkpoints listed here/);
});
