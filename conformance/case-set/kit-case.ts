/** A case of the kit: a request of the conformance protocol and its right answer (docs/conformance.md). */
import type { Json, JsonObject } from "@svc/core";

/** One case, as it stands on a line of a file of cases. */
export interface KitCase {
  /** `<level>/<family>/<slug>` in `[a-z0-9./_-]`, unique in the whole set. */
  readonly name: string;
  /** From 1 to 7. */
  readonly level: number;
  /** A request of the protocol, without its `id`. */
  readonly request: JsonObject;
  /** The members of the right answer that are compared, without its `id`. */
  readonly answer: JsonObject;
}

/** The members of a report that every verifier of the same bytes shares, but for two (below). */
const COMPARED = ["ok", "verdict", "kind", "subject", "assurance", "signers", "proves", "does_not_prove"] as const;
const OF_CHECK = ["id", "status", "count"] as const;
const OF_PROBLEM = ["code", "path", "seq_no", "window_no", "checkpoint_no", "kid", "action"] as const;

/** Returns the line of a case, with its newline. */
export function lineOf({ name, level, request, answer }: KitCase): string {
  return `${JSON.stringify({ name, level, request, answer })}\n`;
}

/**
 * Returns the part of a report that is compared (protocol section 16): it leaves out `verifier` and the words of each
 * program. `action`, `proves` and `does_not_prove` come from tables, and are compared where words are asked for.
 */
export function comparedReport(report: JsonObject): JsonObject {
  const { checks = [], problems = [] } = report as Readonly<Record<string, readonly JsonObject[]>>;
  return {
    ...picked(report, COMPARED),
    checks: checks.map((check) => picked(check, OF_CHECK)),
    problems: problems.map((problem) => picked(problem, OF_PROBLEM)),
  };
}

/** Returns the part of an answer that is compared. */
export function comparedAnswer(answer: JsonObject): JsonObject {
  const { id: _, message: __, report, ...rest } = answer;
  return report === undefined ? rest : { ...rest, report: comparedReport(report as JsonObject) };
}

function picked(object: JsonObject, names: readonly string[]): JsonObject {
  const members = names.flatMap((name): [string, Json][] => {
    const value = object[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(members);
}
