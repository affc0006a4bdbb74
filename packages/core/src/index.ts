/** The part of core that other packages may use. */

// The base of everything else.

export { crc32 } from "./archive/crc32.ts";
export {
  type ArchiveEntry,
  type ArchiveFault,
  MAX_EXPANDED_BYTES,
  MAX_EXPANSION_RATIO,
  type OpenedArchive,
  openArchive,
} from "./archive/open.ts";
export { contentOf, unpack } from "./archive/unpack.ts";
export { type NewEntry, storedEntry, writeArchive } from "./archive/write.ts";
export { encodeBase64, parseBase64 } from "./encoding/base64.ts";
export { encodeHex, hexToBytes, parseHex } from "./encoding/hex.ts";
export {
  type JsonDocument,
  type MemberPath,
  type MemberSpans,
  type Projection,
  type RecordColumns,
  type RecordRecipe,
  SIGNATURE,
  type SignatureRecipe,
  type Span,
} from "./kernel/document.ts";
export type {
  Hasher,
  Json,
  JsonErrorCode,
  JsonObject,
  Kernel,
  NodeHash,
  OpenedJson,
  ParsedJson,
  SignatureItem,
} from "./kernel/kernel.ts";
export { referenceKernel } from "./kernel/reference/index.ts";
export { type KernelName, selectKernel } from "./kernel/select.ts";
export { tagLine } from "./kernel/tag.ts";
export {
  KernelDamaged,
  KernelStopped,
  KernelUnavailable,
  loadWasmKernel,
  startWasmKernel,
} from "./kernel/wasm/index.ts";

// From bytes to a report.

export {
  type Compared,
  type Contradiction,
  comparedOf,
  contradictions,
  type HistoryPlace,
} from "./histories/compare.ts";
export type { EventRun, ShownHistory } from "./report/histories.ts";
export {
  type CrossCheck,
  type CrossCheckedReport,
  type CrossCheckOptions,
  crossCheck,
  type KernelRun,
} from "./verify/cross-check.ts";
export { type Decoded, decode } from "./verify/decode.ts";
export { type DerivedAssurance, deriveAssurance } from "./verify/derive-assurance.ts";
export { detectKind, isKind } from "./verify/kinds.ts";
export type { CooperativeOptions } from "./verify/read-cooperatively.ts";
export type { Helper } from "./verify/verifier.ts";
export { type VerifyOptions, verify, verifyCooperatively, verifyWithHelpers } from "./verify/verify.ts";
export { type VerifyItem, verifyAll } from "./verify/verify-all.ts";

// Objects, and what makes evidence.

export { type FindForkOptions, findFork } from "./find-fork.ts";
export { isPayloadEntry, joinPayload } from "./join-payload.ts";
export { type CheckpointNote, parseCheckpointText } from "./note/checkpoint-note.ts";
export { type Cosignature, cosignatureLine, cosignedBytes, parseCosignature } from "./note/cosignature.ts";
export { type NoteSignature, type OpenedNote, openNote } from "./note/open.ts";
export {
  COSIGNATURE_LINE,
  checkpointText,
  ED25519_LINE,
  encodeNote,
  encodeNoteLine,
  type NoteLine,
  noteKeyId,
  parseNote,
  type SignedNote,
  verificationKey,
} from "./note/signed-note.ts";
export {
  encodeTlogProof,
  type ParsedTlogProof,
  parseTlogProof,
  type TlogProof,
  type TlogProofParts,
} from "./note/tlog-proof.ts";
export {
  type AnyVerificationKey,
  type ParsedVerificationKey,
  parseVerificationKey,
  type VerificationKey,
} from "./note/verification-key.ts";
export {
  type AnchorConsistency,
  issueAnchorConsistency,
} from "./objects/anchor/consistency.ts";
export { type Epoch, epochHash } from "./objects/anchor/epoch.ts";
export { type AnchorInput, type Anchoring, anchorMember, epochOf, issueAnchor } from "./objects/anchor/issue.ts";
export {
  type Anchor,
  Anchor as AnchorSchema,
  type AnchorEvidence,
  type AnchorMember,
} from "./objects/anchor/schema.ts";
export { type EventLevel, levelAfter, NEXT_CONDITIONS, type NextCondition } from "./objects/assurance/missing.ts";
export {
  attestationHash,
  issueAttestationRecord,
  issueAttestationResult,
  startIdOf,
} from "./objects/attestation/issue.ts";
export type {
  AttestationKind,
  AttestationRecord,
  AttestationResult,
  CeremonyStatement,
  CustodyEvidence,
  QuoteEvidence,
  Start,
  VaultAttestation,
} from "./objects/attestation/schema.ts";
export { NO_PROOFS_NEEDED } from "./objects/bundle/examine.ts";
export { type BundleInput, issueBundle } from "./objects/bundle/issue.ts";
export { type SharedBundle, type TakenPart, takeParts } from "./objects/bundle/parts.ts";
export {
  leavesOf,
  type ProvenanceInput,
  type ProvenancePart,
  provenancePart,
} from "./objects/bundle/provenance/issue.ts";
export { type ProvenanceLeaf, provenanceRoot } from "./objects/bundle/provenance/leaves.ts";
export { Bundle as BundleSchema } from "./objects/bundle/provenance/schema.ts";
export type {
  Bundle,
  Manifest,
  PayloadEntry,
  ProvenanceArtifact,
  RecordedEnvelope,
  WitnessArtifact,
} from "./objects/bundle/schema.ts";
export { type BundleSource, writeBundle } from "./objects/bundle/write.ts";
export {
  type Capsule,
  type CapsuleInput,
  makeCapsule,
  type NewField,
  type OpenedField,
  openField,
} from "./objects/capsule/capsule.ts";
export { type CapsuleSize, keepsApart, LISTED_NAMES, slotOf } from "./objects/capsule/slot.ts";
export { type Checkpoint, type CheckpointInput, checkpointHash, issueCheckpoint } from "./objects/checkpoint.ts";
export { showFrontier } from "./objects/checkpoint-roots.ts";
export { type Consistency, issueConsistency } from "./objects/consistency.ts";
export { type DisclosureInput, issueDisclosure } from "./objects/disclosure/issue.ts";
export { discloseNothing } from "./objects/disclosure/nothing.ts";
export type { DisclosedField, Disclosure } from "./objects/disclosure/schema.ts";
export { type EnvelopeInput, envelopeHash, issueEnvelope, sealedEnvelope } from "./objects/envelope/issue.ts";
export type { Content, Envelope, Metadata, SealedEnvelope } from "./objects/envelope/schema.ts";
export { issueEventProof, type OpenedEventProof, openEventProof } from "./objects/event-proof.ts";
export { type ForkInput, issueForkEvidence } from "./objects/fork/issue.ts";
export { type Divergence, FORK_KINDS, type ForkEvidence, type ForkKind } from "./objects/fork/schema.ts";
export { type Inclusion, issueInclusion } from "./objects/inclusion.ts";
export { type IvcEpochInput, issueIvcEpoch, ivcEpochHash } from "./objects/ivc/issue.ts";
export { IVC_CONSTRUCTION, IVC_PROGRAM, type IvcEpoch, MAX_IVC_STEPS } from "./objects/ivc/schema.ts";
export { issueKeyEndorsement, type KeyEndorsement, type KeyHint, keyHint } from "./objects/key-endorsement.ts";
export {
  isMigrationReportBy,
  issueMigrationReport,
  MIGRATION_PHASES,
  type MigrationMove,
  type MigrationPhase,
  type MigrationReport,
  type MigrationReportBody,
  migrationMove,
} from "./objects/migration.ts";
export {
  type Policy,
  policyDigest,
  resolveWitnessPolicy,
  type WitnessKey,
  type WitnessPolicy,
  witnessPolicyDigest,
  witnessPolicyFault,
} from "./objects/policy.ts";
export { type CutOptions, portableReceiptOf } from "./objects/portable-receipt/cut.ts";
export { issuePortableReceipt, type PortableReceiptParts } from "./objects/portable-receipt/issue.ts";
export {
  type CheckpointInclusion,
  type LastWindow,
  PORTABLE_RECEIPT_FORMAT,
  type PortableReceipt,
} from "./objects/portable-receipt/schema.ts";
export {
  issueProvenanceInclusion,
  type ProvenanceInclusion,
  type ShownInclusion,
} from "./objects/provenance-inclusion.ts";
export {
  type AllowedProvider,
  issueProviderPolicy,
  OPERATIONS,
  type Operation,
  type ProviderPolicy,
  providerPolicyDigest,
} from "./objects/provider/policy.ts";
export {
  type AnyProviderResult,
  PROVIDER_RESULT_FIELD,
  PROVIDER_RESULT_SCHEMA,
  type ProviderResult,
} from "./objects/provider/result.ts";
export { ONLY_OWN_WITNESS } from "./objects/quorum.ts";
export {
  type EventInput,
  type EventPlace,
  headHash,
  issueReceipt,
  placeEvent,
  type ReceiptRecord,
  type RedactedRecord,
  redactRecord,
  signEvent,
  type UnsignedRecord,
} from "./objects/receipt.ts";
export { issueStreamSegment, type StreamSegment } from "./objects/stream.ts";
export { type KnownTree, proveWindow } from "./objects/tree-paths.ts";
export { AskedEvents } from "./objects/truth-package/asked.ts";
export { eventLine, eventLines, eventsHeading } from "./objects/truth-package/events-csv.ts";
export { issueTruthPackage, type PackageInput, sealPackageManifest } from "./objects/truth-package/issue.ts";
export {
  ARTIFACT_PATHS,
  type ArtifactPath,
  MANIFEST_PATH,
  PACKAGE_FORMAT,
  type PackageManifest,
  type PackageRange,
} from "./objects/truth-package/schema.ts";
export {
  issueWindow,
  showInclusions,
  showLeaves,
  type Window,
  type WindowInput,
  windowHash,
  windowRoot,
} from "./objects/window.ts";
export * as schemas from "./objects/wire.ts";
export { issueWitnessStatement, type WitnessStatement } from "./objects/witness.ts";
export { MAX_PAYLOAD_DEPTH, MAX_WINDOWS_PER_CHECKPOINT, PROTOCOL, ZERO_HASH } from "./protocol.ts";
export { randomId } from "./random-id.ts";
export { type Redactable, redact } from "./redact.ts";
export {
  CHECK_ORDER,
  type CheckId,
  type JsonKind,
  type Kind,
  type KindWithCheck,
  kindsWith,
} from "./report/checks.ts";
export { CODES, type ProblemCode } from "./report/codes.ts";
export { MEANINGS } from "./report/meanings.ts";
export type {
  Assurance,
  CheckResult,
  CheckStatus,
  CustodyBasis,
  Level,
  PlaceNames,
  Problem,
  ProvenanceAssurance,
  Reached,
  Report,
  ReportedSigner,
  SignerRole,
  Subject,
  Verdict,
} from "./report/report.ts";
export { CHECK_SECTIONS, sectionOf } from "./report/sections.ts";
export type { HashHex, Kid, PublicKeyHex, SignatureHex } from "./schema/atoms.ts";
export * as atoms from "./schema/atoms.ts";
export { formats } from "./schema/formats.ts";
export { kidOf, type Seal, type Signer } from "./seal.ts";
export { parseTrustPolicy } from "./trust/parse.ts";
export { type ParsedTrustPolicy, TRUST_PATH } from "./trust/parse-form.ts";
export { pinKeys, type TrustPolicy } from "./trust/policy.ts";
export { issueTlogPolicy } from "./trust/tlog-policy/issue.ts";
export {
  MAX_TLOG_DEFINITIONS,
  type ParsedTlogPolicy,
  parseTlogPolicy,
  type TlogPolicyFault,
} from "./trust/tlog-policy/parse.ts";
export type { TlogGroup, TlogLog, TlogMember, TlogPolicy, TlogWitness } from "./trust/tlog-policy/policy.ts";
export { type VerifiedTlogProof, verifyTlogProof } from "./trust/tlog-policy/proof.ts";
export { isQuorumMet, leastWitnesses } from "./trust/tlog-policy/quorum.ts";
export { type Handover, issueHandover } from "./vault/handover.ts";
export { issueKeyStatus } from "./vault/key-status/issue.ts";
export type { KeyStatus, KeyStatusBody } from "./vault/key-status/schema.ts";
export { type ReferenceValues, referenceValuesDigest } from "./vault/reference-values.ts";
export { VERSION } from "./version.ts";
