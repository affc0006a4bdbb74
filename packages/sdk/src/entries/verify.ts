/** What verifies offline, for pages: the kernel, and what reads truth packages, are loaded when they are needed. */
export {
  CODES,
  type Kernel,
  type Kind,
  type Problem,
  type ProblemCode,
  type PublicKeyHex,
  pinKeys,
  type Redactable,
  type Report,
  redact,
  type TrustPolicy,
  VERSION,
  type Verdict,
} from "@svc/core";
export type { EvidenceSource } from "../verify/read-all.ts";
export { loadKernel, type VerifyFromOptions, verifyFrom } from "../verify/verify-from.ts";
