/**
 * The client of a service and nothing else; what verifies is loaded with its first answer. In a page, it is for what needs no key: a system key that
 * a page holds is its readers' too, and lets them record in your name, so the page is to ask a server of yours.
 */
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
} from "../client.ts";
export type { ClientCode, ServiceCode, SvcErrorCode } from "../codes.ts";
export { SvcError, VerificationError } from "../error.ts";
export {
  EventLogClient,
  type LogFilter,
  type LoggedEvent,
  type LogInput,
  type WholeLoggedEvent,
} from "../event-log.ts";
export {
  type DownloadTicket,
  type ExportInfo,
  type ExportInput,
  type ExportState,
  ExportsClient,
  type PackageDownload,
  type PackageReport,
  type RecordedVerification,
} from "../exports.ts";
export { List, type Page, type PageRequest } from "../pages.ts";
export * from "../queue/index.ts";
export type { ReceiptOptions } from "../receipts/receipts.ts";
export { type Erasure, type EventFilter, type ProofState, StreamClient, type StreamHead } from "../stream.ts";
export type { TransportOptions, WriteOptions } from "../transport.ts";
