/**
 * A key status that stands alone: the service's seal, and what the verifier knows of the key beside it (section 26).
 */
import type { Examination } from "../report/examination.ts";
import { examineKeyStatusSeal, expectOwnKeyId } from "./key-status/examine.ts";
import type { KeyStatus } from "./key-status/schema.ts";
import { KnownKeys } from "./known-keys.ts";

export function examineStandaloneKeyStatus(exam: Examination, status: KeyStatus): void {
  exam.subject = { id: status.installationId };
  expectOwnKeyId(exam, status, "");
  const statuses = examineKeyStatusSeal(exam, status, "");
  new KnownKeys(exam, {}, { statuses }).keyOf(status.installationId, "");
}
