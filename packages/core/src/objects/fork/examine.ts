/**
 * The examination of standalone fork evidence (protocol section 11): `verified` if it is true and both keys are trusted
 * for the stream, `untrusted` if they are only hinted.
 */
import type { Examination } from "../../report/examination.ts";
import { pinnedWitnesses } from "../checkpoint.ts";
import { isOneSigner, judgeFork, surroundings } from "./judge.ts";
import type { ForkEvidence } from "./schema.ts";
import { originOf, readSide, SIDES } from "./sides.ts";
import type { Statement } from "./statements.ts";

/** Examines standalone fork evidence. Codes: fork_evidence_invalid, key_not_valid_at_time, and those of distrust. */
export function examineFork(exam: Examination, fork: ForkEvidence): void {
  const { fork_id, stream_id } = fork;
  exam.subject = { id: fork_id, ...(stream_id === null ? {} : { stream_id }) };
  exam.origin = SIDES.map((name) => readSide(fork[name])).flatMap((side) => (side && originOf(side)) ?? [])[0];
  exam.looked("fork");
  const around = { ...surroundings(exam, [pinnedWitnesses(exam)]), triesHintedWitnesses: fork.kind === "witness" };
  const vouched = exam.keys.successors(exam.keys.pinned());
  const judgement = judgeFork(around, fork, (left, right) => {
    if (left.kid === null || right.kid === null) return fork.kind !== "witness" || left.signer === right.signer ? 1 : 0;
    if (!isOneSigner(exam.keys, left.kid, right.kid, fork.kind === "witness" ? new Set() : vouched)) return 0;
    return left.verdict === "verified" && right.verdict === "verified" ? 3 : 2;
  });
  if (judgement.finding !== null) {
    exam.reject(judgement.finding.code === "key_not_valid_at_time" ? "trust" : "fork", judgement.finding);
    return;
  }
  for (const name of SIDES) adopt(exam, judgement[name], name, typeof fork[name] === "string");
}

function adopt(exam: Examination, statement: Statement, name: string, isNote: boolean): void {
  exam.adoptSigners(statement.exam, (path) => (isNote ? `/${name}` : `/${name}${path}`));
  if (statement.kid === null)
    exam.cannotEvaluate(
      "fork",
      "a key is missing: neither you nor the evidence tells it, so a signature was not checked",
    );
}
