/**
 * The client of a service and nothing else; the verifier is loaded with its first answer. In a page, use it for calls
 * without a key: every reader of a page could read its system key and record in your name. Let the page ask a server of
 * yours.
 */
export type {
  AuditPackInput,
  DownloadTicket,
  Ed25519Jwk,
  Erasure,
  ExportInfo,
  ExportInput,
  ExportState,
  ListedStream,
  LoggedEvent,
  LogInput,
  PackageReport,
  Page,
  ProofState,
  RecordedVerification,
  ServiceKey,
  ServiceKeys,
  StreamHead,
  StreamInfo,
  WholeLoggedEvent,
} from "@svc/api";
export { type ClientOptions, type StreamFilter, type StreamInput, SvcClient } from "../client.ts";
export type { ClientCode, ServiceCode, SvcErrorCode } from "../codes.ts";
export { SvcError, VerificationError } from "../error.ts";
export { EventLogClient, type LogFilter } from "../event-log.ts";
export { ExportsClient, type PackageDownload } from "../exports.ts";
export { List, type PageRequest } from "../pages.ts";
export * from "../queue/index.ts";
export type { ReceiptOptions } from "../receipts/receipts.ts";
export { type EventFilter, StreamClient } from "../stream.ts";
export type { TransportOptions, WriteOptions } from "../transport.ts";
