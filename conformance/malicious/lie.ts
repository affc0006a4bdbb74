/**
 * A lie: the one thing that a malicious verifier does otherwise than the honest verifier. It speaks the conformance
 * protocol (docs/conformance.md) through the honest program, so that all but the lie is true.
 */
import type { Json, JsonObject, Kernel, Report } from "@svc/core";
import { type Answer, answer } from "../../packages/cli/src/conformance/answer.ts";
import { isObject } from "../../packages/cli/src/conformance/members.ts";

/** A case of the set: its request without `id`, and the members of the right answer that are compared. */
export interface Case {
  readonly name: string;
  readonly request: JsonObject;
  readonly answer: JsonObject;
}

/** Answers one request. */
export type Answering = (request: Json) => Answer | Promise<Answer>;

/** One lie. */
export interface Lie {
  /** The name of the malicious verifier: lowercase words with hyphens. */
  readonly name: string;
  /** The deed, as a sentence without a subject. */
  readonly does: string;
  /** Says whether the lie can show in a case. In all others the malicious verifier gives the right answer. */
  concerns(one: Case): boolean;
  /** Begins to lie. Returns what answers requests with this kernel. A lie may change the whole process. */
  tell(kernel: Kernel): Answering;
}

/** The parts of a report on which lies depend. */
export type ToldReport = Pick<Report, "ok" | "verdict" | "checks" | "problems">;

/** Answers with this kernel and without a lie. */
export function honest(kernel: Kernel): Answering {
  return (request) => answer(request, kernel);
}

/** Answers honestly to another request than the one that came. */
export function mistaking(kernel: Kernel, change: (request: JsonObject) => JsonObject): Answering {
  return (request) => answer(isObject(request) ? change(request) : request, kernel);
}

/** Answers with another report than the one that was made. */
export function retelling(kernel: Kernel, change: (report: ToldReport) => ToldReport): Answering {
  return (request) => {
    const told = answer(request, kernel);
    const report = reportOf(told as JsonObject);
    if (report === null) return told;
    const changed = change(report);
    return { ...told, ok: changed.ok, report: changed as unknown as Json };
  };
}

/** Returns the report of an answer; null for an answer without one. */
export function reportOf({ report }: JsonObject): ToldReport | null {
  return isObject(report) ? (report as unknown as ToldReport) : null;
}

/** Says whether a case is of an operation. */
export function isOf(one: Case, ...operations: readonly string[]): boolean {
  return operations.includes(String(one.request.op));
}
