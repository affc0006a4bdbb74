/** What a developer imports: a client of the service, and everything that verifies without it. */
export {
  type Bundle,
  type Checkpoint,
  CODES,
  type Consistency,
  type EventInput,
  type Json,
  type JsonObject,
  type Kernel,
  KernelUnavailable,
  type Kind,
  loadWasmKernel,
  type Problem,
  type ProblemCode,
  type PublicKeyHex,
  pinKeys,
  type ReceiptRecord,
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
  type ServiceKey,
  type ServiceKeys,
  type StreamInfo,
  type StreamInput,
  SvcClient,
} from "./client.ts";
export { SvcError } from "./error.ts";
export { type AppendOptions, type ProofState, StreamClient, type StreamHead } from "./stream.ts";
export type { TransportOptions } from "./transport.ts";
