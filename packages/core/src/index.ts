/** What other packages may use of core. */
export {
  type CrossCheck,
  type CrossCheckedReport,
  type CrossCheckOptions,
  crossCheck,
  type KernelRun,
} from "./cross-check.ts";
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
export {
  KernelDamaged,
  KernelStopped,
  KernelUnavailable,
  loadWasmKernel,
  startWasmKernel,
} from "./kernel/wasm/index.ts";
export { detectKind, isKind } from "./kinds.ts";
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
export { type ParsedVerificationKey, parseVerificationKey, type VerificationKey } from "./note/verification-key.ts";
export { type BundleInput, issueBundle } from "./objects/bundle/issue.ts";
export type { Bundle, Manifest, PayloadEntry, WitnessArtifact } from "./objects/bundle/schema.ts";
export { Bundle as BundleSchema } from "./objects/bundle/schema.ts";
export { type Checkpoint, type CheckpointInput, checkpointHash, issueCheckpoint } from "./objects/checkpoint.ts";
export { type Consistency, issueConsistency } from "./objects/consistency.ts";
export { type Inclusion, issueInclusion } from "./objects/inclusion.ts";
export { issueKeyEndorsement, type KeyEndorsement, type KeyHint, keyHint } from "./objects/key-endorsement.ts";
export {
  type Policy,
  policyDigest,
  type WitnessKey,
  type WitnessPolicy,
  witnessPolicyDigest,
} from "./objects/policy.ts";
export {
  type EventInput,
  type EventPlace,
  headHash,
  issueReceipt,
  type ReceiptRecord,
  type RedactedRecord,
  redactRecord,
} from "./objects/receipt.ts";
export type { StreamSegment } from "./objects/stream.ts";
export { issueWindow, type Window, type WindowInput, windowHash, windowRoot } from "./objects/window.ts";
export { issueWitnessStatement, type WitnessStatement } from "./objects/witness.ts";
export { MAX_PAYLOAD_DEPTH, MAX_WINDOWS_PER_CHECKPOINT, PROTOCOL, ZERO_HASH } from "./protocol.ts";
export type { CheckId, Kind } from "./report/checks.ts";
export { CODES, type ProblemCode } from "./report/codes.ts";
export type { Assurance, CheckResult, CheckStatus, Problem, Report, Subject, Verdict } from "./report/report.ts";
export type { HashHex, Kid, PublicKeyHex, SignatureHex } from "./schema/atoms.ts";
export * as atoms from "./schema/atoms.ts";
export { formats } from "./schema/formats.ts";
export { kidOf, type Seal, type Signer } from "./seal.ts";
export { type ParsedTrustPolicy, parseTrustPolicy, TRUST_PATH } from "./trust/parse.ts";
export { pinKeys, type TrustPolicy } from "./trust/policy.ts";
export { type VerifyOptions, verify } from "./verify.ts";
export { VERSION } from "./version.ts";
