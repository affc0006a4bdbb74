/**
 * Whether enough witnesses cosigned the newest checkpoint of an object: by the policy that the checkpoint names, and by the
 * verifier's own demand, which stripping statements cannot evade (protocol sections 10 and 16).
 */
import type { Examination } from "../report/examination.ts";
import type { Cosignatures } from "./cosignatures.ts";

/** Judges the newest checkpoint's cosignatures. Call after the signatures are settled; `threshold` is null without a policy. */
export function examineQuorum(exam: Examination, newest: Cosignatures, threshold: number | null, path: string): void {
  const quorum = exam.trust.quorum ?? null;
  const { valid, pinned, known } = newest;
  exam.witnessed = { required: Math.max(threshold ?? 0, quorum ?? 0), valid: known, pinned };
  if (threshold !== null) {
    exam.looked("witness");
    exam.expect("witness", valid >= threshold, {
      code: "witness_quorum_unmet",
      path,
      message: `${valid} of the policy's witnesses cosigned the newest checkpoint, and it asks for ${threshold}.`,
      expected: `${threshold}`,
      actual: `${valid}`,
    });
  }
  if (quorum !== null) {
    exam.looked("witness");
    exam.expect("witness", pinned >= quorum, {
      code: "witness_quorum_unmet",
      path,
      message: `${pinned} of the witnesses that you pin cosigned the newest checkpoint, and you ask for ${quorum}.`,
      expected: `${quorum}`,
      actual: `${pinned}`,
    });
  }
  if (known === 0) exam.leaveOut("witness", "no cosignature by a witness of the policy or of yours");
  else if (newest.onlyManaged)
    exam.leaveOut("witness", "only the service's own witness has cosigned: it is not independent");
  else if (pinned === 0)
    exam.leaveOut("witness", "you pin none of these witnesses, so their independence is not checked");
}
