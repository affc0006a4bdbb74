/**
 * Everything that verifies offline, for pages: this entry weighs little more than the verifier, because the kernel and
 * the reader of truth packages are loaded when they are needed. No value comes from core's index, which would bring
 * both along. `verify` of this entry is the main entry's `verifyFrom`; the main entry's `verify` takes bytes only, and
 * returns at once.
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
