/** The parts of an attestation: the form of its evidence, what a result says of evidence in hand, and what is kept. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { at, id, SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import {
  type AttestationOptions,
  CUSTODY_EVIDENCE,
  custodyOf,
  drawn,
  OTHER_VAULT,
  START,
  START_KEY,
  sealedStatus,
  startOf,
  VAULT,
} from "@svc/testkit/evidence/vaults";
import { type JsonObject, pinKeys, referenceKernel, type VaultAttestation, verify } from "../../src/index.ts";
import { examineAttestation } from "../../src/objects/attestation/examine.ts";
import { attestationFaults } from "../../src/objects/attestation/faults.ts";
import { mismatchOf } from "../../src/objects/attestation/mismatch.ts";
import { Examination } from "../../src/report/examination.ts";
import { KnownKeys } from "../../src/vault/known-keys.ts";

const kernel = referenceKernel;
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
const sha256 = (bytes: Uint8Array) => Buffer.from(kernel.sha256(bytes)).toString("hex");
const QUOTE = {
  ekCertificate: Buffer.from("an endorsement key").toString("base64"),
  ekChain: [],
  akPublic: "0023",
  quoted: "ff54",
  signature: "0018",
  start: START,
  startPcr: 15,
  pcrs: [],
  eventLog: [],
  activations: [],
  challengeProof: null,
};
const STATEMENT = {
  installationId: VAULT.installationId,
  publicKeyHex: VAULT.signer.publicKeyHex,
  tokenModel: "Token 2",
  tokenSerialSha256: drawn("serial"),
  witnessedAt: at(0),
  custodian: "custodian-1",
};
const UNVERIFIED = {
  verified: false,
  assuranceCapability: "L0",
  reason: "unsubstantiated",
  custody: null,
  startId: null,
  start: null,
  ekCertificateSha256: null,
  akName: null,
  referenceValuesDigest: null,
};

/** Returns the member of a result that does not fit, with evidence in the hand of the verifier. */
function mismatch({ record, result }: VaultAttestation, evidence: unknown, changes: object): string | null {
  assert.ok(result !== null);
  return mismatchOf(kernel, { ...record, evidence: evidence as JsonObject }, {
    ...result,
    ...changes,
  } as typeof result);
}

test("a result names the basis of the evidence in hand, if any", async () => {
  const custody = await custodyOf();
  const on = (basis: string) => ({ ...CUSTODY_EVIDENCE, basis });
  assert.equal(mismatch(custody, on("x509"), {}), null);
  assert.equal(mismatch(custody, on("ceremony"), {}), "custody");
  assert.equal(mismatch(custody, on("ceremony"), { custody: "ceremony" }), null);
  assert.equal(mismatch(custody, on("ceremony"), UNVERIFIED), null);
});

test("a result names the start, the endorsement key and the attestation key of the quote in hand, if any", async () => {
  const start = await startOf();
  const names = {
    ekCertificateSha256: sha256(Buffer.from("an endorsement key")),
    akName: `000b${sha256(Buffer.from("0023", "hex"))}`,
  };
  assert.equal(mismatch(start, QUOTE, names), null);
  assert.equal(mismatch(start, { ...QUOTE, start: { ...START, configDigest: drawn("no") } }, names), "startId");
  assert.equal(mismatch(start, QUOTE, { ...names, ekCertificateSha256: drawn("no") }), "ekCertificateSha256");
  assert.equal(mismatch(start, QUOTE, { ...names, akName: `000b${drawn("no")}` }), "akName");
  assert.equal(mismatch(start, QUOTE, UNVERIFIED), null);
  assert.equal(mismatch(start, QUOTE, { ...UNVERIFIED, akName: names.akName }), null);
  assert.equal(mismatch(start, QUOTE, { ...UNVERIFIED, startId: drawn("no") }), "startId");
  assert.equal(mismatch(start, QUOTE, { ...UNVERIFIED, ekCertificateSha256: drawn("no") }), "ekCertificateSha256");
});

test("a challenge and its nonce stand together, and evidence has the form of its kind", async () => {
  const custody = await custodyOf();
  const start = await startOf();
  const faults = ({ record }: VaultAttestation, changes: object) =>
    attestationFaults({ record: { ...record, ...changes } } as VaultAttestation, "/a").map(({ path }) => path);
  assert.deepEqual(faults(custody, {}), []);
  assert.deepEqual(faults(custody, { challengeId: null, nonce: null }), []);
  assert.deepEqual(faults(custody, { challengeId: null }), ["/a/record/nonce"]);
  assert.deepEqual(faults(custody, { nonce: null }), ["/a/record/nonce"]);
  assert.deepEqual(faults(custody, { evidence: CUSTODY_EVIDENCE }), []);
  assert.deepEqual(faults(start, { evidence: QUOTE }), []);
  assert.deepEqual(faults(start, { evidence: QUOTE, nonce: null }), ["/a/record/nonce"]);
  const serial = { ...CUSTODY_EVIDENCE, token: { ...CUSTODY_EVIDENCE.token, serialSha256: "no" } };
  assert.deepEqual(faults(custody, { evidence: serial, nonce: null }), [
    "/a/record/nonce",
    "/a/record/evidence/token/serialSha256",
  ]);
  assert.deepEqual(faults(start, { evidence: { ...QUOTE, quoted: "no" } }), ["/a/record/evidence/quoted"]);
  assert.notDeepEqual(faults(custody, { evidence: QUOTE }), []);
  assert.notDeepEqual(faults(start, { evidence: CUSTODY_EVIDENCE }), []);
});

test("a chain stands with the basis x509, statements with the basis ceremony, and neither with another one", async () => {
  const { record } = await custodyOf();
  const ceremony = [{ ...STATEMENT, seal: record.seal }];
  const chain = [QUOTE.ekCertificate];
  const faults = (changes: object, of: object = {}) => {
    const evidence = { ...CUSTODY_EVIDENCE, ...changes };
    const attestation = { record: { ...record, ...of, evidence } } as unknown as VaultAttestation;
    return attestationFaults(attestation, "").map(({ path }) => path.replace("/record/", ""));
  };
  assert.deepEqual(faults({ basis: "x509", chain }), []);
  assert.deepEqual(faults({ basis: "ceremony", ceremony }), []);
  assert.deepEqual(faults({ basis: "x509" }), []);
  assert.deepEqual(faults({ basis: "ceremony" }), []);
  assert.deepEqual(faults({ basis: "x509", chain, ceremony }), ["evidence/ceremony"]);
  assert.deepEqual(faults({ basis: "ceremony", chain, ceremony }), ["evidence/chain"]);
  assert.deepEqual(faults({ chain, ceremony }), ["evidence/chain", "evidence/ceremony"]);
  assert.deepEqual(faults({ chain }, { nonce: null }), ["nonce", "evidence/chain"]);
});

/** Examines an attestation beside an object of this scope. Returns what is kept of it, and what is found. */
function examined(attestation: VaultAttestation, scope: object = {}, policy: object = {}) {
  const exam = new Examination(kernel, { ...trust, ...policy });
  exam.kind = "vault-attestation";
  const vaults = [{ installation_id: VAULT.installationId, public_key_hex: VAULT.signer.publicKeyHex }];
  const keys = new KnownKeys(new Examination(kernel, { ...trust, vaults, ...policy }), {});
  const kept = examineAttestation(exam, attestation, keys, scope, "/a");
  const { problems, checks } = exam.report();
  const { note } = checks.find((check) => check.id === "attestation") ?? {};
  return { kept, found: problems.map(({ code, path }) => `${code} ${path}`), note };
}

const KEPT = {
  installationId: VAULT.installationId,
  publicKeyHex: VAULT.signer.publicKeyHex,
  verified: true,
  verifiedAt: at(-10),
  softwareRoot: false,
  recheck: "none",
  isActivated: false,
  counts: true,
};

test("of an attestation is kept what its result says, and whether that counts", async () => {
  const custody = {
    ...KEPT,
    attestationRef: id("att", 1),
    attestationKind: "pkcs11-key-custody",
    expiresAt: at(89 * 86_400),
    custody: "x509",
    startId: null,
    startPublicKeyHex: null,
  };
  const made = async (options: AttestationOptions, scope = {}) => examined(await custodyOf(VAULT, options), scope);
  const plain = await made({});
  assert.deepEqual([plain.kept, plain.found], [custody, []]);
  assert.equal(plain.note, "evidence is withheld: what it showed is the word of the result's signer");
  assert.deepEqual((await made({ softwareRoot: true })).kept, { ...custody, softwareRoot: true });
  const unverified = {
    verified: false,
    reason: "custody_unsubstantiated",
    assuranceCapability: "L0",
    custody: null,
  } as const;
  assert.deepEqual((await made(unverified)).kept, { ...custody, verified: false, custody: "none" });
  const ceremony = { ...unverified, custody: "ceremony" } as const;
  assert.deepEqual((await made(ceremony)).kept, { ...custody, verified: false, custody: "none" });
  const strange = await made({ signer: testSigner("stranger") });
  assert.deepEqual([strange.kept?.counts, strange.found], [false, ["key_not_pinned /a/result/seal/kid"]]);
  const started = await startOf();
  assert.deepEqual(examined(started).kept, {
    ...KEPT,
    attestationRef: id("att", 2),
    attestationKind: "tpm2-quote",
    expiresAt: at(80_000),
    custody: "none",
    startId: started.result?.startId,
    startPublicKeyHex: START_KEY.publicKeyHex,
  });
});

test("a result that does not fit its record says nothing, and neither does a record alone", async () => {
  const other = await custodyOf(VAULT, { custody: null });
  const misfit = examined(other);
  assert.deepEqual([misfit.kept, misfit.found], [null, ["attestation_result_mismatch /a/result/custody"]]);
  const { record } = await custodyOf();
  const alone = examined({ record, result: null });
  assert.deepEqual([alone.kept, alone.found], [null, []], "the verifier pins the key");
  assert.equal(alone.note, "evidence is withheld: nobody says what it showed");
  const ofOther = examined(await custodyOf({ ...OTHER_VAULT, installationId: VAULT.installationId }));
  assert.ok(ofOther.found.includes("vault_key_mismatch /a/record/publicKeyHex"), `${ofOther.found}`);
});

test("a signer who is pinned for another stream does not seal results for this one", async () => {
  const streams = [id("str", 9)];
  const signers = trust.signers.map((one) => ({ ...one, streams }));
  const custody = await custodyOf();
  const here = examined(custody, { streamId: id("str", 1) }, { signers });
  assert.deepEqual([here.kept?.counts, here.found], [false, ["signer_not_for_stream /a/result/seal/kid"]]);
  const there = examined(custody, { streamId: id("str", 9) }, { signers });
  assert.deepEqual([there.kept?.counts, there.found], [true, []]);
});

test("the end of a key that was stated backwards is no news where the service verified before it", async () => {
  const ended = {
    revokedAt: at(100),
    revocationReason: "key_compromise",
    revocationInstantReconstructed: true,
  } as const;
  const key_status = [await sealedStatus(VAULT, { status: "revoked", ...ended })];
  const bytes = Buffer.from(JSON.stringify(await custodyOf()));
  const { verdict, checks } = verify(bytes, { kernel, trust: { ...trust, key_status } });
  assert.deepEqual([verdict, checks.find((check) => check.id === "vault_key")?.note], ["verified", undefined]);
});

test("a key for which the service alone vouches attests nothing by itself", async () => {
  const { record } = await custodyOf();
  const bytes = Buffer.from(JSON.stringify({ record, result: null }));
  const { verdict, problems } = verify(bytes, { kernel, trust: { ...trust, key_status: [await sealedStatus(VAULT)] } });
  assert.deepEqual(
    [verdict, problems.map(({ code, path }) => `${code} ${path}`)],
    ["untrusted", ["key_not_pinned /result"]],
  );
});

test("evidence in hand must be the sealed one, and is not judged by this release", async () => {
  const held = { withEvidence: true, custody: null, verified: false, reason: "unsubstantiated" } as const;
  const judged = examined(await custodyOf(VAULT, { ...held, assuranceCapability: "L0" }));
  assert.deepEqual([judged.kept?.recheck, judged.found], ["none", ["unsupported_object /a/record/evidence"]]);
  const { record, result } = await custodyOf(VAULT, { ...held, assuranceCapability: "L0" });
  const evidence = { ...CUSTODY_EVIDENCE, token: { ...CUSTODY_EVIDENCE.token, model: "Token 3" } };
  const edited = examined({ record: { ...record, evidence }, result });
  assert.deepEqual([edited.kept?.recheck, edited.found], ["none", ["evidence_hash_mismatch /a/record/evidence"]]);
});
