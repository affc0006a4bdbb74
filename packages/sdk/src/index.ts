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
  type Ed25519Jwk,
  type ListedStream,
  type ServiceKey,
  type ServiceKeys,
  type StreamFilter,
  type StreamInfo,
  type StreamInput,
  SvcClient,
} from "./client.ts";
export { SvcError } from "./error.ts";
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
export type { Page, PageRequest } from "./pages.ts";
export * from "./queue/index.ts";
export { type Erasure, type EventFilter, type ProofState, StreamClient, type StreamHead } from "./stream.ts";
export type { TransportOptions, WriteOptions } from "./transport.ts";
