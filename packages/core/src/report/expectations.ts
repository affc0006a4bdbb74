/**
 * The demands of the verifier: a stream, a range, and evidence that must be there (protocol sections 16 and 33).
 * Requirements hold for every kind but those of MAKES_NO_DEMANDS.
 */
import type { Kind } from "./checks.ts";
import type { Examination } from "./examination.ts";

/** The kinds of which no evidence is required: they show no event, or raise no assurance (sections 16 and 33). */
const MAKES_NO_DEMANDS: readonly Kind[] = [
  "key",
  "fork",
  "key-status",
  "provider-result",
  "ivc-epoch",
  "envelope",
  "vault-attestation",
  "provenance-inclusion",
];
/** The kinds that name no stream, so that none can be another than the expected one. */
const NAMES_NO_STREAM: readonly Kind[] = ["key-status", "provider-result", "vault-attestation"];

/** A range, as far as it is known where it begins and ends; both ends are in it. */
interface Range {
  readonly from_seq_no?: number;
  readonly to_seq_no?: number;
}

/**
 * Whether a range covers the expected one (section 16): each event named as an end of that is in it. So a lone end asks
 * for that event at least.
 */
export function coversExpected(expected: Range, { from_seq_no = 0, to_seq_no = Infinity }: Range): boolean {
  return [expected.from_seq_no, expected.to_seq_no].every(
    (end) => end === undefined || (from_seq_no <= end && end <= to_seq_no),
  );
}

/**
 * Checks the examined object against `expect` and `require` of the trust policy. Call it after everything else.
 * `examineReader`: that of expected-reader.ts, which only a policy about vaults needs.
 */
export function examineExpectations(exam: Examination, examineReader?: (exam: Examination) => void): void {
  const { expect, require = [] } = exam.trust;
  const { stream_id, from_seq_no, to_seq_no } = exam.subject;
  const check = "expectation";
  if (expect === undefined && require.length === 0) {
    exam.notChecked(check, "you expect no particular stream or range, and require no particular evidence");
    return;
  }
  const namesStream = exam.kind === null || !NAMES_NO_STREAM.includes(exam.kind);
  if (expect?.stream_id !== undefined && namesStream) {
    exam.expectEqual(check, "stream_unexpected", expect.stream_id, stream_id ?? "no stream", {
      path: "",
      message: "This is not evidence of the stream that you expect.",
    });
  }
  if (namesStream && (expect?.from_seq_no !== undefined || expect?.to_seq_no !== undefined)) {
    exam.looked(check);
    const statesRange = from_seq_no !== undefined || to_seq_no !== undefined;
    exam.expect(check, statesRange && coversExpected(expect, exam.subject), {
      code: "range_incomplete",
      path: "",
      message: "The range does not cover the one that you expect.",
      expected: `${expect.from_seq_no ?? "any"} to ${expect.to_seq_no ?? "any"}`,
      actual: `${from_seq_no ?? "unknown"} to ${to_seq_no ?? "unknown"}`,
    });
  }
  examineReader?.(exam);
  if (exam.kind !== null && MAKES_NO_DEMANDS.includes(exam.kind)) return;
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
