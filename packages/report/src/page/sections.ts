/** The page of a report, section by section, verdict first. Its callers escape reports. */
import type { CheckResult, Report } from "@svc/core";
import { chainsOf } from "../chain.ts";
import { CHECK_MEANINGS } from "../check-meanings.ts";
import { escapeAll } from "../escape.ts";
import { ladderOf } from "../ladder.ts";
import { counted, grouped, groupedIn } from "../numbers.ts";
import { describeProblem } from "../problem.ts";
import { isFromLink, isSignerKnown, whoseKey } from "../signers.ts";
import { found, inOrder, type Note, notChecked, whatHolds } from "../statement.ts";
import { readableTime } from "../times.ts";
import { capsuleIn, keysIn } from "../vault.ts";
import { CHECK_NAMES, nounOf } from "../words.ts";
import { type Element, el, type Part, type Parts } from "./element.ts";
import { pairsOf, section, tableOf } from "./parts.ts";
import { isWorthDrawing, picture } from "./picture.ts";
import { rejectedLadder } from "./rejected-ladder.ts";
import type { Shown } from "./shown.ts";
import { terms } from "./terms.ts";
import { capsulePicture, keyPicture } from "./vault-pictures.ts";
import { MARKS, verdictBand } from "./verdict.ts";
import { voucherOf } from "./vouchers.ts";

/** How many problems a page shows; the report has all of them. */
const SHOWN_PROBLEMS = 50;
/** How many chains are drawn: a package has one for each stream. */
const SHOWN_CHAINS = 8;

/** The sections above the events, and those below them. */
export interface ReportSections {
  readonly above: readonly Element[];
  readonly below: readonly Element[];
}

/** Returns the sections about one file. */
export function sectionsOf(shown: Shown): ReportSections {
  const report = escapeAll(shown.report);
  const isRejected = report.verdict === "rejected";
  const wrong = problems(report, shown);
  const drawn = [chains(report, shown), vault(report, shown)];
  // The reason comes before any picture; missing evidence comes after it.
  const above = [
    verdictBand(report, shown),
    report.verdict === "untrusted" ? whose(report, shown) : null,
    ...(isRejected ? [wrong, ladder(report, shown), ...drawn] : [ladder(report, shown), ...drawn, wrong]),
  ];
  const words = folded("words", "What the words mean", "", terms());
  return {
    above: above.filter((section) => section !== null),
    below: [meaning(report), toldBy(report), left(report), checks(report, shown), words, details(report, shown)].filter(
      (section) => section !== null,
    ),
  };
}

/** Returns a section that is closed until somebody opens it; on paper it appears if it was open. */
function folded(id: string, title: string, more: string, ...children: readonly Parts[]): Element {
  return el(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    el(
      "details",
      {},
      el(
        "summary",
        {},
        el("h2", { id: `${id}-title` }, title),
        more === "" ? null : el("span", { class: "quiet" }, more),
      ),
      ...children,
    ),
  );
}

function whose(report: Report, shown: Shown): Element | null {
  const texts = whoseKey(report, shown);
  if (texts.length === 0) return null;
  return section(
    "whose-key",
    "Whose key is it?",
    texts.map((text) => el("p", {}, text)),
  );
}

function ladder(report: Report, shown: Shown): Element | null {
  const isRejected = report.verdict === "rejected";
  const steps = isRejected ? rejectedLadder(report) : ladderOf(report, shown);
  if (steps.length === 0) return null;
  const items = steps.map(({ name, mark, tone, text }) => {
    const { who, faked } = voucherOf(name, isSignerKnown(report, shown));
    return el(
      "li",
      {},
      el("span", { class: `mark ${tone ?? "none"}`, "aria-hidden": "true" }, mark),
      el(
        "div",
        {},
        el("p", {}, el("strong", {}, name), ` ${text}`),
        isRejected || mark === "○" ? null : el("p", { class: "quiet" }, `${who} ${faked}`),
      ),
    );
  });
  return section(
    "ladder",
    isRejected ? "Step by step" : "How sure it is",
    isRejected ? el("p", {}, "One broken step is enough: nothing here counts by itself.") : null,
    el("ul", { class: "ladder" }, ...items),
  );
}

function chains(report: Report, { contents, trust }: Shown): Element | null {
  const found = contents === null ? [] : chainsOf(report, contents, trust).filter(isWorthDrawing);
  if (found.length === 0) return null;
  const ids = new Set(shownProblems(report).map(({ index }) => index));
  const problemId = (problem: number) => (ids.has(problem) ? `problem-${problem}` : "problems");
  const more = found.length - SHOWN_CHAINS;
  return section(
    "chain",
    "The chain",
    report.verdict === "rejected" ? el("p", {}, "As the file has it. What does not hold is crossed.") : null,
    ...found.slice(0, SHOWN_CHAINS).map((chain) => picture(escapeAll(chain), problemId)),
    more > 0 ? el("p", {}, `And ${counted(more, "more stream")}.`) : null,
  );
}

/** Returns the pictures of vaults: the leaves of a capsule, and the lives of keys. */
function vault(report: Report, { contents }: Shown): Element | null {
  if (contents === null) return null;
  const capsule = capsuleIn(report, contents);
  const keys = keysIn(report, contents);
  const more = keys.length - SHOWN_CHAINS;
  const { from_received_at: first, to_received_at: last } = report.subject;
  // The events of a range have no one time.
  const receivedAt = first === last ? first : undefined;
  if (capsule === null && keys.length === 0) return null;
  return section(
    "vault",
    "The vault",
    report.verdict === "verified" ? null : el("p", {}, "As the file has it."),
    capsule === null ? null : capsulePicture(escapeAll(capsule)),
    ...keys.slice(0, SHOWN_CHAINS).map((key) => keyPicture(escapeAll(key), receivedAt)),
    more > 0 ? el("p", {}, `And ${counted(more, "more key")}.`) : null,
  );
}

function shownProblems(report: Report) {
  const at = new Map(report.problems.map((problem, index) => [problem, index]));
  return inOrder(report.problems)
    .slice(0, SHOWN_PROBLEMS)
    .map((problem) => ({ problem, index: at.get(problem) ?? 0 }));
}

function problems(report: Report, shown: Shown): Element | null {
  if (report.problems.length === 0) return null;
  const advised = new Set([""]);
  const items = shownProblems(report).map(({ problem, index }) => {
    const { code, isDistrust, place, sentences, expected, actual } = describeProblem(problem, shown.bytes);
    const [first = "", ...others] = sentences;
    const action = advised.has(problem.action) ? null : el("p", {}, el("strong", {}, "What to do: "), problem.action);
    advised.add(problem.action);
    return el(
      "li",
      { id: `problem-${index}`, tabindex: "-1" },
      el(
        "h3",
        {},
        el(
          "span",
          { class: `mark ${isDistrust ? "warn" : "bad"}`, "aria-hidden": "true" },
          isDistrust ? MARKS.warn : MARKS.bad,
        ),
        " ",
        first,
      ),
      others.map((text) => el("p", {}, text)),
      action,
      el(
        "dl",
        { class: "compared" },
        pair("where", place),
        pair("expected", expected),
        pair("actual", actual),
        pair("code", code),
      ),
    );
  });
  const more = report.problems.length - items.length;
  const held = report.verdict === "rejected" ? whatHolds(report, shown) : null;
  return section(
    "problems",
    report.verdict === "rejected" ? "What is wrong" : "What is missing",
    el("ul", { class: "problems" }, ...items),
    more > 0 ? el("p", {}, `And ${counted(more, "more problem")}; the report as JSON has all.`) : null,
    held === null ? null : el("p", {}, held),
  );
}

function pair(name: string, value: string): Parts {
  return value === "" ? null : [el("dt", {}, name), el("dd", {}, el("code", {}, value))];
}

function meaning({ proves, does_not_prove }: Report): Element {
  // A condition of all others is above them.
  const [first = "", ...others] = proves;
  const isCondition = first.endsWith(":");
  const heading = isCondition ? `It shows ${groupedIn(first)}` : "It shows";
  return section(
    "meaning",
    "What this shows, and what it does not",
    proves.length === 0 ? null : [el("h3", {}, heading), list(isCondition ? others : proves)],
    el("h3", {}, "It does not show"),
    list(does_not_prove),
  );
}

function list(texts: readonly string[]): Element {
  return el("ul", {}, ...texts.map((text) => el("li", {}, groupedIn(text))));
}

function toldBy(report: Report): Element | null {
  return noted("found", "What was found", found(report));
}

function left(report: Report): Element | null {
  return noted("not-checked", "What was not checked", notChecked(report));
}

function noted(name: string, title: string, notes: readonly Note[]): Element | null {
  if (notes.length === 0) return null;
  return section(name, title, pairsOf(notes.map(({ name, note }) => [name, note])));
}

const STATUS: Readonly<Record<CheckResult["status"], string>> = {
  pass: "● holds",
  fail: "✗ does not hold",
  not_checked: "○ not checked",
  cannot_evaluate: "◐ unknown",
};

const COUNTED_STATUS: Readonly<Record<CheckResult["status"], string>> = {
  fail: "failed",
  cannot_evaluate: "unknown",
  pass: "passed",
  not_checked: "not checked",
};

/** A key that only the link has named is nobody's pin. */
const TRUST_BY_LINK =
  "A key that came with the link sealed this, or endorsed the key that did. You have not pinned it.";

function checks({ checks }: Report, shown: Shown): Element {
  const meanings = isFromLink(shown.report, shown) ? { ...CHECK_MEANINGS, trust: TRUST_BY_LINK } : CHECK_MEANINGS;
  const rows = checks.map(({ id, status, count }) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, CHECK_NAMES[id], el("p", { class: "quiet" }, meanings[id])),
      el("td", { class: status }, STATUS[status]),
      el("td", { class: "number" }, count === undefined ? "" : grouped(count)),
    ),
  );
  const summary = Object.entries(COUNTED_STATUS).flatMap(([wanted, words]) => {
    const count = checks.filter(({ status }) => status === wanted).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  return folded("checks", "Each check", summary.join(", "), tableOf(["check", "result", "count"], rows));
}

function details({ kind, verifier }: Report, { file, checked }: Shown): Element {
  const facts: readonly (readonly [string, Part])[] = [
    ["file", escapeAll(file.name)],
    ["size", `${grouped(file.bytes)} bytes`],
    ["SHA-256", el("code", {}, file.sha256Hex)],
    ["checked as", kind === null ? "of no known kind" : nounOf(kind)],
    ["checked by", `${verifier.name} ${verifier.version}, offline`],
    ["kernel", el("code", {}, verifier.kernel_sha256 ?? "reference, in TypeScript")],
    ["when", `${readableTime(checked.at)}, by the clock of the machine that checked it`],
    ["it took", checked.seconds < 0.05 ? "under 0.1 s" : `${checked.seconds.toFixed(1)} s`],
  ];
  return section("details", "Details", pairsOf(facts));
}
