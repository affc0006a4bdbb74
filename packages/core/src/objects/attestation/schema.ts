/**
 * The shapes of an attestation: the record that a vault seals, its evidence, and the result that the service seals
 * (protocol sections 23 to 25). faults.ts and examine.ts say how the members must fit each other.
 */
import {
  AnyObject,
  Bytes,
  Closed,
  Hash,
  InstallationId,
  OneOf,
  OneOfOrNull,
  PersonalName,
  PublicKey,
  ServiceTime,
} from "../../schema/atoms.ts";
import * as Type from "../../schema/type.ts";
import {
  AttestationId,
  Base64,
  NullableAkName,
  NullableChallengeId,
  NullableHash,
  NullableReason,
  OrNull,
} from "../../schema/vault-atoms.ts";
import { AttestationSeal } from "../../seal.ts";
import { PcrIndex, StartPcr } from "../../vault/reference-values.ts";

const AttestationKind = OneOf("pkcs11-key-custody", "tpm2-quote");
export type AttestationKind = Type.Static<typeof AttestationKind>;

/** A chain holds so many certificates, the leaf included. */
const MAX_CERTIFICATES = 6;
/** So many people may state that they were there, or that an endorsement key and an attestation key belong together. */
const MAX_STATEMENTS = 16;
const MAX_PCRS = 24;
const MAX_LOG_ENTRIES = 4096;

/**
 * The statement of a custodian who was there when a key was made (protocol section 24). As JSON, shortened:
 *
 * ```json
 * {"installationId":"ins_01k3…","publicKeyHex":"0ca2af…","tokenModel":"Token 2","tokenSerialSha256":"7f42cb…",
 *  "witnessedAt":"2026-03-01T00:00:00.000Z","custodian":"custodian-1","seal":{}}
 * ```
 */
export const CeremonyStatement = Closed({
  installationId: InstallationId,
  publicKeyHex: PublicKey,
  tokenModel: Type.String(),
  tokenSerialSha256: Hash,
  witnessedAt: ServiceTime,
  custodian: PersonalName,
  seal: AttestationSeal,
});
export type CeremonyStatement = Type.Static<typeof CeremonyStatement>;

/**
 * The evidence that a key lives in a token (protocol section 24). As JSON, shortened:
 *
 * ```json
 * {"token":{"manufacturer":"Example","model":"Token 2","firmware":"2.4.1","serialSha256":"7f42cb…"},
 *  "attributes":{"sensitive":true,"alwaysSensitive":true,"extractable":false,"neverExtractable":true,"local":true,
 *   "sign":true},
 *  "basis":"x509","chain":["MIIB…"],"ceremony":[]}
 * ```
 */
export const CustodyEvidence = Closed(
  {
    token: Closed({
      manufacturer: Type.String(),
      model: Type.String(),
      firmware: Type.String(),
      serialSha256: Hash,
    }),
    attributes: Closed({
      sensitive: Type.Boolean(),
      alwaysSensitive: Type.Boolean(),
      extractable: Type.Boolean(),
      neverExtractable: Type.Boolean(),
      local: Type.Boolean(),
      sign: Type.Boolean(),
    }),
    basis: OneOf("x509", "ceremony", "none"),
    chain: Type.Array(Base64, { maxItems: MAX_CERTIFICATES }),
    ceremony: Type.Array(CeremonyStatement, { maxItems: MAX_STATEMENTS }),
  },
  { $id: "custody-evidence" },
);
export type CustodyEvidence = Type.Static<typeof CustodyEvidence>;

const START = { startPublicKeyHex: PublicKey, vaultMeasurement: Hash, configDigest: Hash };

/**
 * One start of a vault: its key, and what was measured (protocol section 25). As JSON, shortened:
 *
 * ```json
 * {"startPublicKeyHex":"4acaac…","vaultMeasurement":"9fa3a5…","configDigest":"a3ac67…"}
 * ```
 */
export const Start = Closed(START);
export type Start = Type.Static<typeof Start>;

const Activation = Closed({
  ekCertificateSha256: Hash,
  akName: Type.String(),
  activatedAt: ServiceTime,
  activator: PersonalName,
  seal: AttestationSeal,
});

/**
 * The evidence of a start: a quote by a machine's TPM, and what leads to it (protocol section 25). As JSON, shortened:
 *
 * ```json
 * {"ekCertificate":"MIIB…","ekChain":["MIIB…"],"akPublic":"0023…","quoted":"ff54…","signature":"0018…","start":{},
 *  "startPcr":11,"pcrs":[{"index":0,"digest":"3d458c…"}],"eventLog":[{"type":"measure","digest":"9fa3a5…"}],
 *  "activations":[],"challengeProof":null}
 * ```
 */
export const QuoteEvidence = Closed(
  {
    ekCertificate: Base64,
    ekChain: Type.Array(Base64, { maxItems: MAX_CERTIFICATES }),
    akPublic: Bytes,
    quoted: Bytes,
    signature: Bytes,
    start: Start,
    startPcr: StartPcr,
    pcrs: Type.Array(Closed({ index: PcrIndex, digest: Hash }), { maxItems: MAX_PCRS }),
    eventLog: Type.Array(Closed({ type: OneOf("measure", "start-key", "other"), digest: Hash }), {
      maxItems: MAX_LOG_ENTRIES,
    }),
    activations: Type.Array(Activation, { maxItems: MAX_STATEMENTS }),
    challengeProof: NullableHash,
  },
  { $id: "quote-evidence" },
);
export type QuoteEvidence = Type.Static<typeof QuoteEvidence>;

/**
 * The record of an attestation, sealed by the installation's key over a nonce of the service (protocol section 23). Its
 * evidence is bound by its hash and may be withheld. As JSON, shortened:
 *
 * ```json
 * {"attestationKind":"pkcs11-key-custody","installationId":"ins_01k3…","publicKeyHex":"0ca2af…",
 *  "challengeId":"vch_01k3…","nonce":"770fc4…","createdAt":"2026-03-01T00:00:00.000Z","evidenceHash":"64a4a7…",
 *  "seal":{}}
 * ```
 */
export const AttestationRecord = Closed({
  attestationKind: AttestationKind,
  installationId: InstallationId,
  publicKeyHex: PublicKey,
  challengeId: NullableChallengeId,
  nonce: NullableHash,
  createdAt: ServiceTime,
  evidenceHash: Hash,
  seal: AttestationSeal,
  evidence: Type.Optional(AnyObject),
});
export type AttestationRecord = Type.Static<typeof AttestationRecord>;

/**
 * The service's word about a record (protocol section 23). As JSON, shortened:
 *
 * ```json
 * {"attestationRef":"att_01k3…","attestationHash":"d825ed…","attestationKind":"pkcs11-key-custody",
 *  "installationId":"ins_01k3…","assuranceCapability":"L1","verified":true,"reason":null,"custody":"x509",
 *  "startId":null,"start":null,"ekCertificateSha256":null,"akName":null,"softwareRoot":false,
 *  "referenceValuesDigest":null,"verifiedAt":"2026-03-01T00:00:01.000Z","expiresAt":"2026-05-30T00:00:01.000Z",
 *  "seal":{}}
 * ```
 */
export const AttestationResult = Closed(
  {
    attestationRef: AttestationId,
    attestationHash: Hash,
    attestationKind: AttestationKind,
    installationId: InstallationId,
    assuranceCapability: OneOf("L0", "L1", "L2"),
    verified: Type.Boolean(),
    reason: NullableReason,
    custody: OneOfOrNull("x509", "ceremony"),
    startId: NullableHash,
    start: OrNull(Start),
    ekCertificateSha256: NullableHash,
    akName: NullableAkName,
    softwareRoot: Type.Boolean(),
    referenceValuesDigest: NullableHash,
    verifiedAt: ServiceTime,
    expiresAt: ServiceTime,
    seal: AttestationSeal,
  },
  { $id: "attestation-result" },
);
export type AttestationResult = Type.Static<typeof AttestationResult>;

/**
 * An attestation: a record and the result of the service, null before it is verified (protocol section 23). As JSON:
 *
 * ```json
 * {"record":{},"result":null}
 * ```
 */
export const VaultAttestation = Closed(
  {
    record: AttestationRecord,
    result: OrNull(AttestationResult),
  },
  { $id: "vault-attestation" },
);
export type VaultAttestation = Type.Static<typeof VaultAttestation>;
