/** What other packages may use of report. */
export { escapeAll, escapeJson, escapeText } from "./escape.ts";
export {
  decodeEvidence,
  type Evidence,
  kidAt,
  lineAndColumn,
  manifestBytesOf,
  numberedPlace,
  signersOf,
} from "./evidence.ts";
export { ladderOf, type Mark, type Step, type StepName } from "./ladder.ts";
export { counted, grouped, shorten } from "./numbers.ts";
export { type DescribedProblem, describeProblem } from "./problem.ts";
export { evidenceBeside } from "./seal-at-end.ts";
export { detailsOf, distrustedKids, inOrder, notChecked, whatHolds, whatItNames } from "./statement.ts";
export { CHECK_NAMES, holding, isDistrust, nounOf, type Tone, VERDICTS } from "./words.ts";
