/**
 * The examination of an attestation (protocol section 23): the vault's seal, its key, the evidence in hand, and the
 * service's result. evidence.ts judges evidence; ../assurance says what a level needs.
 */
import type { Examination } from "../../report/examination.ts";
import type { PublicKeyHex } from "../../schema/atoms.ts";
import type { Scope } from "../../trust/key-ring.ts";
import { examineInstallationSeal } from "../../vault/installation-seal.ts";
import { mayVouch } from "../../vault/key-status/vouching.ts";
import { UNDATED } from "../../vault/key-time.ts";
import { KnownKeys, noteUnknownEnd } from "../../vault/known-keys.ts";
import { type Attested, countedLevel, L0, type Recheck } from "../assurance/level.ts";
import { LevelTally } from "../assurance/tally.ts";
import { examineEvidence } from "./evidence.ts";
import { evidenceHash, recordBody, resultBody } from "./issue.ts";
import { mismatchOf } from "./mismatch.ts";
import type { AttestationRecord, AttestationResult, VaultAttestation } from "./schema.ts";

/** Examines an attestation. Returns what it says; null if no service has said anything of it, or not of this record. */
export function examineAttestation(
  exam: Examination,
  { record, result }: VaultAttestation,
  keys: KnownKeys,
  scope: Scope,
  path: string,
  told: PublicKeyHex | null = null,
): Attested | null {
  const { installationId, publicKeyHex } = record;
  const key = keys.keyOf(installationId, `${path}/record/installationId`, told);
  const what = `the attestation record of ${installationId}`;
  examineInstallationSeal(
    exam,
    "attestation",
    { publicKeyHex, vouched: key.vouched },
    {
      tag: "record",
      body: () => recordBody(record),
      seal: record.seal,
      path: `${path}/record/seal`,
      what: () => what,
      code: "attestation_signature_invalid",
    },
  );
  exam.expect("vault_key", key.publicKeyHex === null || key.publicKeyHex === publicKeyHex, {
    code: "vault_key_mismatch",
    path: `${path}/record/publicKeyHex`,
    message: `The attestation is about another key than the one that is known for ${installationId}.`,
    expected: `${key.publicKeyHex}`,
    actual: publicKeyHex,
  });
  const recheck = examineOwnEvidence(exam, record, `${path}/record`, result !== null);
  if (result === null) {
    // Nothing dates a record alone: nobody says that its nonce was fresh.
    keys.examineEvent(key, UNDATED, `${path}/record/seal`, () => what);
    if (key.vouched === "service-vouched") {
      const message = `Only a key that you pin can attest alone, and you pin none of ${installationId}.`;
      exam.distrust({ code: "key_not_pinned", path: `${path}/result`, message }, installationId, "vault_key");
    }
    return null;
  }
  const about = `the attestation ${result.attestationRef}`;
  const event = { receivedAt: result.verifiedAt, provenBefore: () => true, isByWord: true as const };
  keys.examineEvent(key, event, `${path}/result/verifiedAt`, () => about);
  return examineResult(exam, record, result, scope, `${path}/result`, recheck);
}

function examineOwnEvidence(exam: Examination, record: AttestationRecord, path: string, isTold: boolean): Recheck {
  if (record.evidence === undefined) {
    const whose = isTold ? "what it showed is the word of the result's signer" : "nobody says what it showed";
    exam.notChecked("attestation", `evidence is withheld: ${whose}`);
    return "none";
  }
  const own = evidenceHash(exam.kernel, record.evidence);
  const isBound = exam.expectEqual("attestation", "evidence_hash_mismatch", record.evidenceHash, own, {
    path: `${path}/evidence`,
    message: "The evidence is not the one that the vault sealed.",
    count: false,
  });
  return isBound ? examineEvidence(exam, record, path) : "none";
}

function examineResult(
  exam: Examination,
  record: AttestationRecord,
  result: AttestationResult,
  scope: Scope,
  path: string,
  recheck: Recheck,
): Attested | null {
  exam.seal("attestation", "result", resultBody(result), result.seal, {
    path: `${path}/seal`,
    what: `the result ${result.attestationRef}`,
    streamId: scope.streamId,
    ownTime: result.verifiedAt,
  });
  const mismatch = mismatchOf(exam.kernel, record, result);
  if (mismatch !== null) {
    const message = `The result is not about this record, or contradicts itself: see ${mismatch}.`;
    exam.reject("attestation", { code: "attestation_result_mismatch", path: `${path}/${mismatch}`, message });
    return null;
  }
  const { attestationRef, attestationKind, installationId, verified, verifiedAt, expiresAt } = result;
  return {
    attestationRef,
    attestationKind,
    installationId,
    publicKeyHex: record.publicKeyHex,
    verified,
    verifiedAt,
    expiresAt,
    custody: verified ? (result.custody ?? "none") : "none",
    startId: result.startId,
    startPublicKeyHex: result.start?.startPublicKeyHex ?? null,
    softwareRoot: result.softwareRoot,
    recheck,
    // The activations are part of the evidence.
    isActivated: false,
    counts: mayVouch(exam, result.seal.kid, verifiedAt, scope),
  };
}

/** Examines a standalone attestation. The level that it can carry counts once; it is no event's. */
export function examineStandaloneAttestation(exam: Examination, attestation: VaultAttestation): void {
  const { record, result } = attestation;
  exam.subject = { id: result?.attestationRef ?? null };
  const keys = new KnownKeys(exam, {});
  // A service that verified the key vouches for it.
  const isTold = result !== null && mayVouch(exam, result.seal.kid, result.verifiedAt, {});
  const attested = examineAttestation(exam, attestation, keys, {}, "", isTold ? record.publicKeyHex : null);
  noteUnknownEnd(exam, keys.keyOf(record.installationId, ""));
  const counting = attested?.counts === true ? attested : null;
  const level = counting?.verified === true && result !== null ? result.assuranceCapability : "L0";
  const tally = new LevelTally();
  tally.capability(counting === null ? L0 : countedLevel(level, counting, exam.trust));
  exam.provenance = tally.sum({
    installations: 1,
    vaultChain: "none",
    vaultKeys: keys.weakest,
    custodies: counting === null ? [] : [counting.custody],
    hasSoftwareRoot: counting?.softwareRoot === true,
  });
}
