/** What a developer imports: a client of the service, and everything that verifies without it. */
export {
  type Bundle,
  type Checkpoint,
  CODES,
  type Consistency,
  type EventInput,
  type ForkEvidence,
  type Json,
  type JsonObject,
  type Kernel,
  KernelUnavailable,
  type Kind,
  loadWasmKernel,
  type PortableReceipt,
  type Problem,
  type ProblemCode,
  type PublicKeyHex,
  pinKeys,
  type ReceiptRecord,
  type RedactedRecord,
  type Report,
  referenceKernel,
  selectKernel,
  type TrustPolicy,
  VERSION,
  type Verdict,
  type VerifyOptions,
  verify,
  type Window,
  type WitnessPolicy,
} from "@svc/core";
export {
  type AuditPackInput,
  type ClientOptions,
  type Ed25519Jwk,
  type ListedStream,
  type ServiceKey,
  type ServiceKeys,
  type StreamFilter,
  type StreamInfo,
  type StreamInput,
  SvcClient,
} from "./client.ts";
export type { ClientCode, ServiceCode, SvcErrorCode } from "./codes.ts";
export { SvcError, VerificationError } from "./error.ts";
export { EventLogClient, type LogFilter, type LoggedEvent, type LogInput, type WholeLoggedEvent } from "./event-log.ts";
export {
  type DownloadTicket,
  type ExportInfo,
  type ExportInput,
  type ExportState,
  ExportsClient,
  type PackageDownload,
  type PackageReport,
  type RecordedVerification,
} from "./exports.ts";
export { List, type Page, type PageRequest } from "./pages.ts";
export type { ReceiptOptions } from "./receipts/receipts.ts";
export { type Erasure, type EventFilter, type ProofState, StreamClient, type StreamHead } from "./stream.ts";
export type { TransportOptions, WriteOptions } from "./transport.ts";
