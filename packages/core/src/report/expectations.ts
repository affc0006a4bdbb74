/**
 * The demands of the verifier: a stream, a range, and evidence that must be there (protocol section 16). Requirements
 * hold for every kind but fork and key.
 */
import type { Examination } from "./examination.ts";

/** Checks the examined object against `expect` and `require` of the trust policy. Call it after everything else. */
export function examineExpectations(exam: Examination): void {
  const { expect, require = [] } = exam.trust;
  const { stream_id, from_seq_no, to_seq_no } = exam.subject;
  const check = "expectation";
  if (expect === undefined && require.length === 0) {
    exam.leaveOut(check, "you expect no particular stream or range, and require no particular evidence");
    return;
  }
  if (expect?.stream_id !== undefined) {
    exam.expectEqual(check, "stream_unexpected", expect.stream_id, stream_id ?? "no stream", {
      path: "",
      message: "This is not evidence of the stream that you expect.",
    });
  }
  const startsLate = expect?.from_seq_no !== undefined && from_seq_no !== undefined && from_seq_no > expect.from_seq_no;
  const endsEarly = expect?.to_seq_no !== undefined && to_seq_no !== undefined && to_seq_no < expect.to_seq_no;
  if (expect?.from_seq_no !== undefined || expect?.to_seq_no !== undefined) {
    exam.looked(check);
    const statesRange = from_seq_no !== undefined || to_seq_no !== undefined;
    exam.expect(check, statesRange && !startsLate && !endsEarly, {
      code: "range_incomplete",
      path: "",
      message: "The range does not cover the one that you expect.",
      expected: `${expect.from_seq_no ?? "any"} to ${expect.to_seq_no ?? "any"}`,
      actual: `${from_seq_no ?? "unknown"} to ${to_seq_no ?? "unknown"}`,
    });
  }
  if (exam.kind === "key" || exam.kind === "fork") return;
  const met = {
    included: exam.included,
    // A quorum that asks for nobody does not show that anybody saw it.
    witnessed: exam.witnessed.pinned > 0 && (exam.quorum === null || exam.quorumMet),
    published: exam.published !== "none",
    anchored: exam.anchored === "pinned",
  };
  for (const requirement of require) {
    exam.looked(check);
    exam.expect(check, met[requirement], {
      code: "evidence_missing",
      path: "",
      message: `You require evidence that it is ${requirement}, and the object does not show it to you.`,
      expected: requirement,
    });
  }
}
