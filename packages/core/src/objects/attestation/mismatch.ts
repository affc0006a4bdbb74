/**
 * Whether a result is about its record, and does not contradict itself (protocol section 23). It says nothing of the
 * evidence, and nothing of who sealed the two.
 */
import { parseBase64 } from "../../encoding/base64.ts";
import { encodeHex, hexToBytes } from "../../encoding/hex.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import { attestationHash, startIdOf } from "./issue.ts";
import type {
  AttestationKind,
  AttestationRecord,
  AttestationResult,
  CustodyEvidence,
  QuoteEvidence,
} from "./schema.ts";

const CAPABILITY: Readonly<Record<AttestationKind, string>> = { "pkcs11-key-custody": "L1", "tpm2-quote": "L2" };
const HOUR_MS = 3_600_000;
/** The longest time that a result of each kind is in force. */
export const LONGEST_MS: Readonly<Record<AttestationKind, number>> = {
  "pkcs11-key-custody": 90 * 24 * HOUR_MS,
  "tpm2-quote": 24 * HOUR_MS,
};
/** A result is made so long after its record at most: an old record verified anew is no fresh one. */
export const LATEST_AFTER_MS = 900_000;
/** The clocks of vault and service may differ by so much. */
export const EARLIEST_BEFORE_MS = 300_000;
const CUSTODY_MEMBERS = ["custody"] as const;
const QUOTE_MEMBERS = ["startId", "start", "ekCertificateSha256", "akName", "referenceValuesDigest"] as const;

/** The name of a member of a result. */
type Member = keyof AttestationResult;

/** Returns the first member of a result that does not fit its record or the other members; null if all do. */
export function mismatchOf(kernel: Kernel, record: AttestationRecord, result: AttestationResult): Member | null {
  return (
    ofRecord(kernel, record, result) ??
    ofItself(result) ??
    ofTimes(record, result) ??
    ofEvidence(kernel, record, result)
  );
}

function ofRecord(kernel: Kernel, record: AttestationRecord, result: AttestationResult): Member | null {
  if (result.attestationHash !== attestationHash(kernel, record)) return "attestationHash";
  if (result.installationId !== record.installationId) return "installationId";
  if (result.attestationKind !== record.attestationKind) return "attestationKind";
  const { start, startId } = result;
  if (start !== null && startId !== startIdOf(kernel, record, start)) return "startId";
  return null;
}

function ofItself(result: AttestationResult): Member | null {
  const { attestationKind, verified, assuranceCapability, reason } = result;
  if (assuranceCapability !== (verified ? CAPABILITY[attestationKind] : "L0")) return "assuranceCapability";
  if (verified !== (reason === null)) return "reason";
  const isCustody = attestationKind === "pkcs11-key-custody";
  const [own, others] = isCustody ? [CUSTODY_MEMBERS, QUOTE_MEMBERS] : [QUOTE_MEMBERS, CUSTODY_MEMBERS];
  const foreign = others.find((member) => result[member] !== null);
  if (foreign !== undefined) return foreign;
  const missing = own.find((member) => verified && result[member] === null);
  return missing ?? null;
}

function ofTimes({ createdAt }: AttestationRecord, result: AttestationResult): Member | null {
  const [created, verified, expires] = [createdAt, result.verifiedAt, result.expiresAt].map(Date.parse) as [
    number,
    number,
    number,
  ];
  if (expires <= verified || expires - verified > LONGEST_MS[result.attestationKind]) return "expiresAt";
  if (verified - created > LATEST_AFTER_MS || created - verified > EARLIEST_BEFORE_MS) return "verifiedAt";
  return null;
}

/** Compares what is named with the evidence in hand. The times of certificates are not read here. */
function ofEvidence(kernel: Kernel, record: AttestationRecord, result: AttestationResult): Member | null {
  const { evidence, attestationKind } = record;
  if (evidence === undefined) return null;
  if (attestationKind === "pkcs11-key-custody") {
    const { basis } = evidence as unknown as CustodyEvidence;
    return result.custody === null || result.custody === basis ? null : "custody";
  }
  const { start, ekCertificate, akPublic } = evidence as unknown as QuoteEvidence;
  const sha256 = (bytes: Uint8Array) => encodeHex(kernel.sha256(bytes));
  if (result.startId !== null && result.startId !== startIdOf(kernel, record, start)) return "startId";
  const own = sha256(parseBase64(ekCertificate) as Uint8Array);
  if (result.ekCertificateSha256 !== null && result.ekCertificateSha256 !== own) return "ekCertificateSha256";
  const name = `000b${sha256(hexToBytes(akPublic))}`;
  return result.akName === null || result.akName === name ? null : "akName";
}
