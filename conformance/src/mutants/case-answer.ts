/** The answer of a program as the answer of a case: without id and wording that nobody compares. */
import { isObject, type Json, type JsonObject } from "../json.ts";

const OF_REPORT = new Set("ok verdict kind subject assurance signers checks problems proves does_not_prove".split(" "));
const OF_CHECK = new Set(["id", "status", "count"]);
const OF_PROBLEM = new Set(["code", "path", "seq_no", "window_no", "checkpoint_no", "kid", "action"]);

/** Returns the members that a case has (cases/case.ts). */
export function caseAnswerOf(answer: JsonObject): JsonObject {
  const { id: _, message: __, ...own } = answer;
  if (!isObject(own.report)) return own as JsonObject;
  const { checks, problems, ...rest } = own.report;
  const report = {
    ...(only(rest, OF_REPORT) as JsonObject),
    checks: listOf(checks).map((check) => only(check, OF_CHECK)),
    problems: listOf(problems).map((problem) => only(problem, OF_PROBLEM)),
  };
  return { ...own, report } as JsonObject;
}

function only(value: Json, names: ReadonlySet<string>): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)));
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
