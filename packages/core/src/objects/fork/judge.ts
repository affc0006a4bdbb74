/**
 * The judgement on one piece of fork evidence (protocol section 11): the sides exclude each other, each is whole and
 * signed, and one signer signed both: one key, keys of one endorsement chain, or keys that the verifier trusts alike.
 */
import type { Examination } from "../../report/examination.ts";
import type { Finding } from "../../report/report.ts";
import type { Kid } from "../../schema/atoms.ts";
import type { KnownWitnesses } from "../known-witnesses.ts";
import { LogKeys } from "./log-keys.ts";
import { loggedStatements, witnessStatements } from "./note-statements.ts";
import { readFork } from "./rules.ts";
import type { ForkEvidence } from "./schema.ts";
import { SIDES, type Side } from "./sides.ts";
import { type ReadStatements, type Statement, type Surroundings, sealedStatement } from "./statements.ts";

/** The signers of both sides, or the reason why the evidence is invalid. Paths begin at the evidence. */
export type ForkJudgement =
  | { readonly finding: null; readonly left: Statement; readonly right: Statement }
  | { readonly finding: Finding };

/**
 * Returns the surroundings by which all evidence of one file is judged. `witnesses`: those whose lines in notes must
 * hold.
 */
export function surroundings(exam: Surroundings["exam"], witnesses: readonly KnownWitnesses[]): Surroundings {
  return { exam, logKeys: new LogKeys(exam.kernel, exam.keys), witnesses, triesHintedWitnesses: false };
}

/**
 * Judges fork evidence that has its shape. `rank` says how much two statements by the same or by related signers are
 * worth: 0 if they are not two statements of one signer. The best of several pairs counts.
 */
export function judgeFork(
  around: Surroundings,
  fork: ForkEvidence,
  rank: (left: Statement, right: Statement) => number,
): ForkJudgement {
  const read = readFork(around.exam.kernel, fork);
  if (read.fault !== null)
    return { finding: invalid(read.at, `It shows no fork of the kind ${fork.kind}: ${read.fault}.`) };
  const sides: (readonly Statement[])[] = [];
  for (const name of SIDES) {
    const found = statementsOf(around, fork, read[name]);
    if (found.problem !== null) return { finding: spoiled(found.problem, name, read[name].type) };
    sides.push(found.statements);
  }
  const [lefts = [], rights = []] = sides;
  let best: { left: Statement; right: Statement; rank: number } | null = null;
  for (const left of lefts) {
    for (const right of rights) {
      const own = rank(left, right);
      if (own > (best?.rank ?? 0)) best = { left, right, rank: own };
    }
  }
  if (best !== null) return { finding: null, left: best.left, right: best.right };
  return {
    finding: invalid("", "The two sides are not the statements of one signer: anybody could frame somebody so."),
  };
}

function statementsOf(around: Surroundings, { kind }: ForkEvidence, side: Side): ReadStatements {
  if (side.type !== "note") return sealedStatement(around, side);
  if (kind === "witness") return witnessStatements(around, side.value);
  return loggedStatements(around, side.value);
}

/**
 * Says whether two different keys may stand for one signer. `related`: the keys that the verifier trusts alike,
 * wherever it trusts them.
 */
export function isOneSigner(keys: Examination["keys"], left: Kid, right: Kid, related: ReadonlySet<Kid>): boolean {
  if (related.has(left) && related.has(right)) return true;
  return keys.successors([left]).has(right) || keys.successors([right]).has(left);
}

function invalid(path: string, message: string): Finding {
  return { code: "fork_evidence_invalid", path, message };
}

/**
 * A side that does not hold is no evidence. A side that was sealed outside its key's time keeps its code: the fault is
 * the key's.
 */
function spoiled(problem: Finding, side: "left" | "right", type: Side["type"]): Finding {
  const path = type === "note" ? `/${side}` : `/${side}${problem.path}`;
  if (problem.code === "key_not_valid_at_time") return { ...problem, path };
  return {
    ...problem,
    code: "fork_evidence_invalid",
    path,
    message: `The ${side} side does not hold: ${problem.message}`,
  };
}
