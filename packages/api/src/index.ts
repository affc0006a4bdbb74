/**
 * The parts of the contract that other packages may use. Each family has its contracts and schemas under its own name.
 */

export { contractsOf } from "./all.ts";
export {
  type Access,
  type AnswerRule,
  type BodyRule,
  type Contract,
  contract,
  credentialOf,
  errorsOf,
  type Face,
  facesOf,
  type HeaderRule,
  type HeaderRules,
  type IdentifiedAccess,
  isIdentified,
  type LargeBodyRule,
  type QueryRules,
  type SuccessStatus,
} from "./contract.ts";
export { ERROR_CODES, type ErrorFacts, errorFacts, errorText } from "./error-text.ts";
export { ERRORS, type ErrorCode } from "./errors.ts";
export * as docs from "./families/docs.ts";
export type { Erasure } from "./families/erasure.ts";
export * as erasure from "./families/erasure.ts";
export type { LoggedEvent, LogInput, WholeLoggedEvent } from "./families/event-log.ts";
export * as eventLog from "./families/event-log.ts";
export type {
  DownloadTicket,
  ExportInfo,
  ExportInput,
  ExportState,
  PackageReport,
  RecordedVerification,
} from "./families/exports.ts";
export * as exports from "./families/exports.ts";
export type { HandedInFork } from "./families/forks.ts";
export * as forks from "./families/forks.ts";
export type { Ed25519Jwk, ServiceKey, ServiceKeys } from "./families/keys.ts";
export * as keys from "./families/keys.ts";
export * as metrics from "./families/metrics.ts";
export type { AuditPackInput } from "./families/packs.ts";
export * as packs from "./families/packs.ts";
export type { DeclaredWitnessPolicy, WitnessPolicyBody } from "./families/policies.ts";
export * as policies from "./families/policies.ts";
export type { ProofState } from "./families/sealing.ts";
export * as sealing from "./families/sealing.ts";
export * as serviceLog from "./families/service-log.ts";
export type { EventBody, ListedStream, StreamBody, StreamHead, StreamInfo } from "./families/streams.ts";
export * as streams from "./families/streams.ts";
export * as verify from "./families/verify.ts";
export * as verifyPage from "./families/verify-page.ts";
export { openApi, operationId } from "./openapi.ts";
export { errorRow, type OwnError, ownErrors } from "./own-errors.ts";
export { namedPage, numberedPage, type Page, PageOf, type PageRequest, twiceNumberedPage } from "./pages.ts";
export {
  choice,
  flag,
  hash,
  IDEMPOTENCY_KEY,
  idempotencyKey,
  ordinal,
  type Parameter,
  requiredText,
  text,
  time,
} from "./parameters.ts";
export {
  ACTIONS,
  type Action,
  type ActionRule,
  GRANTED_ACTIONS,
  KEY_ACTIONS,
  type KeyAction,
  keyMay,
  ROLES,
  type Role,
  roleMay,
  ruleOf,
  USUAL_ACTIONS,
} from "./permissions.ts";
