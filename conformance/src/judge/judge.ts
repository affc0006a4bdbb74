/** The verdict on one case: passed, failed with its differences, or unsupported. */
import type { Case } from "../cases/case.ts";
import type { Reply } from "../program/reply.ts";
import { type Difference, difference, fault } from "./difference.ts";
import { differencesOf } from "./differences.ts";

/** The outcome of a case. */
export interface Judgement {
  readonly state: "passed" | "failed" | "unsupported";
  /** None unless it failed. */
  readonly differences: readonly Difference[];
  /** The reply was a fault of the program, not an answer. */
  readonly fault: "hung" | "other" | null;
}

/** A case has at most so many differences in a result, so that one wrong report does not hide all others. */
const MAX_DIFFERENCES = 20;

/** Judges a reply. `ops`: the operations that the program says it has; empty if it does not say. */
export function judge({ request, answer }: Case, reply: Reply, words: boolean, ops: ReadonlySet<string>): Judgement {
  if ("fault" in reply) return failed([fault(reply.fault)], reply.hung ? "hung" : "other");
  const isUnsupported = reply.answer.ok === false && reply.answer.code === "unsupported_op";
  if (isUnsupported && answer.code !== "unsupported_op") {
    if (!ops.has(request.op)) return { state: "unsupported", differences: [], fault: null };
    return failed([difference("/code", "an answer: `hello` names the operation", "unsupported_op")], null);
  }
  const differences = comparable(() => differencesOf(answer, reply.answer, words));
  return differences.length === 0 ? { state: "passed", differences, fault: null } : failed(differences, null);
}

/** Runs a comparison. An answer whose arrays nest by the thousand overflows the stack, which is the answer's fault. */
export function comparable(compare: () => Difference[]): Difference[] {
  try {
    return compare();
  } catch (error) {
    if (error instanceof RangeError) return [fault("wrote an answer that nests too deeply to be read")];
    throw error;
  }
}

/** Returns the judgement of a case that was not asked, with the reason. */
export function notAsked(reason: string): Judgement {
  return failed([fault(`not asked: ${reason}`)], null);
}

function failed(differences: readonly Difference[], by: Judgement["fault"]): Judgement {
  const more = differences.length - MAX_DIFFERENCES;
  const kept = differences.slice(0, MAX_DIFFERENCES);
  if (more > 0) kept.push({ member: "", wanted: "no more differences", given: `${more} more differences` });
  return { state: "failed", differences: kept, fault: by };
}
