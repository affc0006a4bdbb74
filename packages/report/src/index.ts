/** The parts of report that other packages may use. */

export { type Chain, chainsOf } from "./chain.ts";
export { CHECK_MEANINGS } from "./check-meanings.ts";
export {
  type CheckFacts,
  type CodeText,
  checkFacts,
  checkText,
  FINDERS,
  type Finder,
  type ProblemFacts,
  problemFacts,
  problemText,
} from "./code-text.ts";
export { Contents, contentsOf, type EventRow, sectionsOfText } from "./contents.ts";
export { escapeAll, escapeJson, escapeText } from "./escape.ts";
export {
  decodeEvidence,
  type Evidence,
  isArchive,
  lineAndColumn,
  manifestBytesOf,
} from "./evidence.ts";
export { foreignFormat } from "./foreign.ts";
export { fewOf, forkSentence, forkShown, PROOF_WORDS, type ToldFork } from "./forks.ts";
export { ladderOf, type Mark, type Step, type StepName } from "./ladder.ts";
export { counted, grouped, groupedIn, shorten } from "./numbers.ts";
export { NOT_CHECKED, OTHER_FORMATS, type OtherFormat, otherFormat } from "./other-format.ts";
export { reportHtml } from "./page/document.ts";
export { type Element, el, type Part, type Parts } from "./page/element.ts";
export { cellsOf, eventFacts, eventsTable, openedRow, payloadParts } from "./page/events.ts";
export { htmlOf } from "./page/html.ts";
export { section, tableOf } from "./page/parts.ts";
export { type ReportSections, sectionsOf } from "./page/sections.ts";
export type { Shown } from "./page/shown.ts";
export { REPORT_STYLE } from "./page/style.ts";
export { type Look, lookOf, MARKS, toneOf } from "./page/verdict.ts";
export { type PayloadText, payloadText, wordsOfPayload } from "./payload-text.ts";
export { type DescribedProblem, describeProblem } from "./problem.ts";
export {
  inGroups,
  isFromLink,
  isOfVault,
  isUnsigned,
  nameOf,
  type Reader,
  sealedBy,
  signersIn,
  whoseKey,
} from "./signers.ts";
export { detailsOf, found, inOrder, type Note, notChecked, whatHolds } from "./statement.ts";
export { STEP_NAMES, type StepFacts, stepFacts, stepText } from "./step-text.ts";
export { readableTime } from "./times.ts";
export { isTrustFile } from "./trust-file.ts";
export { VERDICT_NAMES, type VerdictFacts, verdictFacts, verdictText } from "./verdict-text.ts";
export { CHECK_NAMES, holding, isDistrust, nounOf, type Tone, VERDICTS } from "./words.ts";
