/**
 * What verifies offline, for pages: it weighs little more than the verifier, since the kernel, and what reads truth packages, are loaded when they
 * are needed. No value comes from core's whole index, which would bring them along. `verify` is the main entry's `verifyFrom`: there, `verify` takes
 * bytes only, and answers at once.
 */
export type {
  Kernel,
  Kind,
  Problem,
  ProblemCode,
  PublicKeyHex,
  Report,
  TrustPolicy,
  Verdict,
} from "@svc/core";
export { type Redactable, redact } from "@svc/core/redact";
export { pinKeys } from "@svc/core/trust-policy";
export { parsePublicKeyHex } from "../verify/parse-public-key-hex.ts";
export type { EvidenceSource } from "../verify/read-all.ts";
export { loadKernel, type VerifyFromOptions, verifyFrom, verifyFrom as verify } from "../verify/verify-from.ts";
