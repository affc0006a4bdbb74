/**
 * The answers of `svc explain`, from the tables of codes, checks and errors alone: no file, no kernel, no connection.
 * The words about one name are those of docs/verdicts.md and docs/api/errors.md.
 */
import { ERROR_CODES, errorFacts, errorText } from "@svc/api/errors";
import { CODES, type ProblemCode } from "@svc/core";
import {
  type CodeText,
  checkFacts,
  checkText,
  FINDERS,
  problemFacts,
  problemText,
  STEP_NAMES,
  stepFacts,
  stepText,
  VERDICT_NAMES,
  verdictFacts,
  verdictText,
} from "@svc/report";
import type { Answer } from "../formats/formatter.ts";
import { table } from "../render/table.ts";
import { wrap } from "../render/text.ts";

const PROBLEM_CODES = Object.keys(CODES) as readonly ProblemCode[];

/** Every name that is explained: codes of reports, errors of the service, checks, steps of a verdict, verdicts. */
export const NAMES: readonly string[] = [
  ...new Set<string>([...PROBLEM_CODES, ...ERROR_CODES, ...FINDERS, ...STEP_NAMES, ...VERDICT_NAMES]),
];

/** Returns what one name means, in every sense that it has; null for any other word. */
export function explanationOf(name: string): Answer | null {
  const problem = PROBLEM_CODES.find((code) => code === name);
  const error = ERROR_CODES.find((code) => code === name);
  const check = FINDERS.find((id) => id === name);
  const step = STEP_NAMES.find((one) => one === name);
  const verdict = VERDICT_NAMES.find((one) => one === name);
  const senses: (readonly [sense: string, text: CodeText])[] = [];
  if (problem !== undefined) senses.push(["in a report", problemText(problem)]);
  if (error !== undefined) senses.push(["an answer of the service", errorText(error)]);
  if (check !== undefined) senses.push(["a check", checkText(check)]);
  if (step !== undefined) senses.push(["a step of a verdict", stepText(step)]);
  if (verdict !== undefined) senses.push(["a verdict", verdictText(verdict)]);
  if (senses.length === 0) return null;
  return {
    value: {
      name,
      problem: problem === undefined ? null : problemFacts(problem),
      error: error === undefined ? null : errorFacts(error),
      check: check === undefined ? null : checkFacts(check),
      step: step === undefined ? null : stepFacts(step),
      verdict: verdict === undefined ? null : verdictFacts(verdict),
    },
    page: () => senses.flatMap(([sense, text], index) => [...(index > 0 ? [""] : []), ...linesOf(name, sense, text)]),
  };
}

/** Returns the list of all codes: those of reports by the check that finds them, those of the service by status. */
export function listOfCodes(): Answer {
  const checks = FINDERS.map(checkFacts);
  const errors = ERROR_CODES.map(errorFacts);
  const statuses = [...new Set(errors.map(({ status }) => status))];
  return {
    value: {
      problems: PROBLEM_CODES.map(problemFacts),
      errors,
      checks,
      steps: STEP_NAMES.map(stepFacts),
      verdicts: VERDICT_NAMES.map(verdictFacts),
    },
    page: () => [
      "Codes of reports, by the check that finds them:",
      "",
      ...table(checks.filter(({ codes }) => codes.length > 0).map(({ check, codes }) => [check, codes.join(", ")])),
      "",
      ...wrap("Checks without their own code:", FLUSH),
      "",
      ...wrap(checks.flatMap(({ check, codes }) => (codes.length > 0 ? [] : [check])).join(", "), INDENTED),
      "",
      "Codes of the service, by the status of its answer:",
      "",
      ...table(statuses.map((status) => [`${status}`, codesOf(errors.filter((error) => error.status === status))])),
      "",
      ...wrap("Steps of a verdict:", FLUSH),
      "",
      ...wrap(STEP_NAMES.join(", "), INDENTED),
      "",
      ...wrap("Verdicts:", FLUSH),
      "",
      ...wrap(VERDICT_NAMES.join(", "), INDENTED),
      "",
      ...wrap("svc explain CODE says what one means and what to do; svc explain CHECK says what it looks at.", FLUSH),
    ],
  };
}

const FLUSH = { first: "", rest: "" };
const INDENTED = { first: "  ", rest: "  " };

function codesOf(errors: readonly { readonly code: string }[]): string {
  return errors.map(({ code }) => code).join(", ");
}

function linesOf(name: string, sense: string, { summary, points }: CodeText): string[] {
  return [
    `${name}, ${sense}`,
    ...wrap(plain(summary), INDENTED),
    "",
    ...points.flatMap(({ title, text }) => wrap(`${title}: ${plain(text)}`, { first: "  ", rest: "    " })),
  ];
}

/** Returns a text without the backticks around its names. */
function plain(text: string): string {
  return text.replaceAll("`", "");
}
