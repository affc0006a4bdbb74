/**
 * The answers of `svc explain`: each code of a report, each error of the service, each check, step and verdict in
 * words, and the same as facts. The words are those of docs/verdicts.md and docs/api/errors.md.
 */
import { ERROR_CODES, errorFacts, errorText } from "@svc/api/errors";
import { CODES, type ProblemCode } from "@svc/core";
import {
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

/** Returns the explanations by name, in each of the senses that a name can have. */
export function explanations() {
  return {
    problems: Object.fromEntries(
      (Object.keys(CODES) as ProblemCode[]).map((code) => [code, { ...problemText(code), facts: problemFacts(code) }]),
    ),
    errors: Object.fromEntries(ERROR_CODES.map((code) => [code, { ...errorText(code), facts: errorFacts(code) }])),
    checks: Object.fromEntries(FINDERS.map((check) => [check, { ...checkText(check), facts: checkFacts(check) }])),
    steps: Object.fromEntries(STEP_NAMES.map((step) => [step, { ...stepText(step), facts: stepFacts(step) }])),
    verdicts: Object.fromEntries(
      VERDICT_NAMES.map((verdict) => [verdict, { ...verdictText(verdict), facts: verdictFacts(verdict) }]),
    ),
  };
}
