/**
 * The one place where evidence of a token or of a start is judged (protocol sections 24 and 25). This release judges
 * neither certificates nor quotes: it says so, and an object that brings some is not verified by it.
 */
import type { Examination } from "../../report/examination.ts";
import type { Recheck } from "../assurance/level.ts";
import type { AttestationRecord } from "./schema.ts";

/** Judges the evidence in hand of a record. Returns how far it holds for this verifier. `path`: of the record. */
export function examineEvidence(exam: Examination, record: AttestationRecord, path: string): Recheck {
  const message = "This release judges neither certificates nor quotes, so this evidence was not checked.";
  exam.distrust({ code: "unsupported_object", path: `${path}/evidence`, message }, record.evidenceHash, "attestation");
  exam.notChecked("attestation", "certificates and quotes are not judged by this release");
  return "none";
}
