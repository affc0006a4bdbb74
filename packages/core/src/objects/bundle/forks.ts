/**
 * The fork evidence in a bundle (protocol sections 11 and 14). Valid evidence rejects the bundle as `fork_detected` and
 * is shown. Evidence that is invalid, or that convicts nobody connected with the bundle, rejects it as
 * `fork_evidence_invalid`. So no bundle with `forks.json` verifies.
 */
import { Examination } from "../../report/examination.ts";
import type { Finding } from "../../report/report.ts";
import type { Kid } from "../../schema/atoms.ts";
import { pinnedWitnesses } from "../checkpoint.ts";
import { isOneSigner, judgeFork, surroundings } from "../fork/judge.ts";
import { parseTreeNote } from "../fork/note-text.ts";
import type { ForkEvidence } from "../fork/schema.ts";
import type { Statement, Surroundings } from "../fork/statements.ts";
import { openKeys } from "../key-endorsement.ts";
import type { ShownPolicies } from "./policies.ts";
import type { Bundle } from "./schema.ts";

const PATH = "/artifacts/forks.json";

/**
 * Examines the fork evidence of a bundle. Call it after the signatures of everything else in the bundle are settled.
 */
export function examineForks(exam: Examination, bundle: Bundle, policies: ShownPolicies): void {
  const forks = bundle.artifacts["forks.json"];
  if (forks === undefined) {
    exam.notChecked("fork", "no fork evidence in the bundle");
    return;
  }
  exam.looked("fork", forks.length);
  const keys = openForkKeys(exam, bundle, forks);
  if (keys === null) return;
  const named = new Set(bundle.artifacts["checkpoints.json"].map((checkpoint) => checkpoint.witness_policy_digest));
  const listed = [...policies.witness].filter(([digest]) => named.has(digest)).map(([, witnesses]) => witnesses);
  const around = surroundings(keys, [pinnedWitnesses(exam), ...listed]);
  const counting = keys.keys.successors(exam.sealers);
  forks.forEach((fork, index) => {
    const finding = judgeInBundle(around, bundle, exam.origin, fork, counting);
    exam.reject("fork", { ...finding, path: `${PATH}/${index}${finding.path}` });
  });
}

/**
 * Returns the keys of the bundle and of all its fork evidence together; null if they do not hold, which is reported.
 */
function openForkKeys(exam: Examination, bundle: Bundle, forks: readonly ForkEvidence[]): Examination | null {
  const own = new Examination(exam.kernel, exam.trust, exam.chain);
  const hints = forks.flatMap((fork) => fork.key_hints ?? []);
  const endorsements = forks.flatMap((fork) => fork.key_endorsements ?? []);
  openKeys(own, [...bundle.key_hints, ...hints], [...bundle.key_endorsements, ...endorsements]);
  if (!own.rejected) return own;
  const message = `The keys of the evidence do not hold: ${own.report().problems[0]?.message ?? ""}`;
  exam.reject("fork", { code: "fork_evidence_invalid", path: PATH, message });
  return null;
}

/** Returns the problem for which one piece of evidence rejects the bundle. Paths begin at the evidence. */
function judgeInBundle(
  around: Surroundings,
  { manifest }: Bundle,
  origin: string | undefined,
  fork: ForkEvidence,
  counting: ReadonlySet<Kid>,
): Finding {
  const { stream_id } = manifest;
  const unrelated = foreignPart(fork, stream_id, origin);
  if (unrelated !== null) return { code: "fork_evidence_invalid", ...unrelated };
  const { keys } = around.exam;
  const serviceOrigin = origin?.slice(0, -stream_id.length - 1);
  const scope = fork.stream_id === null ? { serviceOrigin } : { streamId: stream_id, origin };
  const trusted = (kid: Kid) => keys.standing(kid, scope).trusted;
  const counts = ({ kid, verdict }: Statement) =>
    kid !== null && (fork.kind === "witness" ? verdict === "verified" : counting.has(kid) || trusted(kid));
  const vouched = fork.kind === "witness" ? new Set<Kid>() : keys.successors(keys.pinned());
  const judgement = judgeFork(around, fork, (left, right) => {
    if (left.kid === null || right.kid === null || !counts(left) || !counts(right)) return 0;
    return isOneSigner(keys, left.kid, right.kid, vouched) ? 1 : 0;
  });
  if (judgement.finding !== null) return { ...judgement.finding, code: "fork_evidence_invalid" };
  const message = `The bundle carries valid evidence of a fork of the kind ${fork.kind}: ${fork.fork_id}.`;
  return { code: "fork_detected", path: "", message };
}

/**
 * Returns the part of the evidence that is about another stream or another service than the bundle; null without such a
 * part.
 */
function foreignPart(
  fork: ForkEvidence,
  streamId: string,
  origin: string | undefined,
): { readonly path: string; readonly message: string } | null {
  if (fork.stream_id !== null && fork.stream_id !== streamId)
    return { path: "/stream_id", message: "The evidence is about another stream than the bundle." };
  const due = fork.stream_id === null ? origin?.slice(0, -streamId.length - 1) : origin;
  const origins = [fork.left, fork.right]
    .map((side) => (typeof side === "string" ? parseTreeNote(side)?.origin : side.origin))
    .filter((one) => one !== undefined);
  // Two different origins are a fork by themselves; one of them must be the bundle's.
  if (origins.length === 0 || origins.some((one) => one === due)) return null;
  return { path: "/left", message: "The evidence is about another log than the bundle's." };
}
