/** The hashes of an attestation, and how a vault and a service issue its two halves (protocol sections 23 and 25). */
import type { JsonObject, Kernel } from "../../kernel/kernel.ts";
import { digest } from "../../protocol.ts";
import type { HashHex } from "../../schema/atoms.ts";
import { makeSeal, type Signer } from "../../seal.ts";
import type { AttestationRecord, AttestationResult, CustodyEvidence, QuoteEvidence, Start } from "./schema.ts";

/** Returns the members that the seal of a record covers. */
export function recordBody(record: Omit<AttestationRecord, "seal">): JsonObject {
  const { attestationKind, installationId, publicKeyHex, challengeId, nonce, createdAt, evidenceHash } = record;
  return { attestationKind, installationId, publicKeyHex, challengeId, nonce, createdAt, evidenceHash };
}

/** Returns the members that the seal of a result covers. */
export function resultBody({ seal: _seal, ...body }: AttestationResult): JsonObject {
  return body;
}

/**
 * Returns the hash by which a result names its record (protocol section 23), 64 lowercase hex characters. It checks
 * nothing.
 *
 * @example
 * console.log(attestationHash(kernel, attestation.record) === attestation.result?.attestationHash); // true
 */
export function attestationHash(kernel: Kernel, record: AttestationRecord): HashHex {
  return digest(kernel, "record", recordBody(record));
}

/** Returns the hash by which a record binds its evidence. */
export function evidenceHash(kernel: Kernel, evidence: JsonObject): HashHex {
  return digest(kernel, "evidence", evidence);
}

/**
 * Returns the identifier of one start of a vault (protocol section 25), 64 lowercase hex characters. `installation`:
 * its id and key. `start`: the key of the start, and what was measured. It checks nothing.
 *
 * @example
 * console.log(startIdOf(kernel, attestation.record, start).length); // 64
 */
export function startIdOf(
  kernel: Kernel,
  { installationId, publicKeyHex }: Pick<AttestationRecord, "installationId" | "publicKeyHex">,
  { startPublicKeyHex, vaultMeasurement, configDigest }: Start,
): HashHex {
  return digest(kernel, "start", { installationId, publicKeyHex, startPublicKeyHex, vaultMeasurement, configDigest });
}

/**
 * Issues the record of an attestation (protocol section 23). `signer`: the installation's key. `record`: the challenge
 * of the service and the time. `evidence`: of a token or of a start. Resolves to the record with its evidence; rejects
 * as `sign` does. It checks nothing.
 *
 * @example
 * const { publicKeyHex } = await issueAttestationRecord(kernel, signer, attestation.record, custodyEvidence);
 * console.log(publicKeyHex === signer.publicKeyHex); // true
 */
export async function issueAttestationRecord(
  kernel: Kernel,
  signer: Signer,
  record: Pick<AttestationRecord, "attestationKind" | "installationId" | "challengeId" | "nonce" | "createdAt">,
  evidence: CustodyEvidence | QuoteEvidence,
): Promise<AttestationRecord> {
  const { attestationKind, installationId, challengeId, nonce, createdAt } = record;
  const body = {
    attestationKind,
    installationId,
    publicKeyHex: signer.publicKeyHex,
    challengeId,
    nonce,
    createdAt,
    evidenceHash: evidenceHash(kernel, evidence),
  };
  return { ...body, seal: await makeSeal(kernel, "record", body, signer), evidence };
}

/**
 * Issues the result of an attestation (protocol section 23). `signer`: the service's key. `record`: what it is about.
 * `result`: what was found. Resolves to the result; rejects as `sign` does. It does not check the evidence, nor that
 * the members fit each other.
 *
 * @example
 * const { record, result } = attestation;
 * if (result !== null) console.log((await issueAttestationResult(kernel, signer, record, result)).verified); // true
 */
export async function issueAttestationResult(
  kernel: Kernel,
  signer: Signer,
  record: AttestationRecord,
  result: Omit<AttestationResult, "attestationHash" | "attestationKind" | "installationId" | "seal">,
): Promise<AttestationResult> {
  const { attestationKind, installationId } = record;
  const body = { ...stated(result), attestationHash: attestationHash(kernel, record), attestationKind, installationId };
  return { ...body, seal: await makeSeal(kernel, "result", body, signer) };
}

/** Returns the members that a service states about a record, whatever else is given. */
function stated(result: Omit<AttestationResult, "attestationHash" | "attestationKind" | "installationId" | "seal">) {
  const { attestationRef, assuranceCapability, verified, reason, custody, startId, start } = result;
  const { ekCertificateSha256, akName, softwareRoot, referenceValuesDigest, verifiedAt, expiresAt } = result;
  return {
    attestationRef,
    assuranceCapability,
    verified,
    reason,
    custody,
    startId,
    start,
    ekCertificateSha256,
    akName,
    softwareRoot,
    referenceValuesDigest,
    verifiedAt,
    expiresAt,
  };
}
