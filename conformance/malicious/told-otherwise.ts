/** Lies about a report that was made rightly. */
import { type Case, type Lie, reportOf, retelling, type ToldReport } from "./lie.ts";

const reports = (which: (report: ToldReport) => boolean) => (one: Case) => {
  const report = reportOf(one.answer);
  return report !== null && which(report);
};

const alwaysVerified: Lie = {
  name: "always-verified",
  does: "calls everything verified",
  concerns: reports(({ ok }) => !ok),
  tell: (kernel) =>
    retelling(kernel, (report) => ({
      ...report,
      ok: true,
      verdict: "verified",
      checks: report.checks.map((check) =>
        check.status === "fail" || check.status === "cannot_evaluate" ? { ...check, status: "pass" } : check,
      ),
      problems: [],
    })),
};

const firstProblemOnly: Lie = {
  name: "first-problem-only",
  does: "reports the first problem and no other",
  concerns: reports(({ problems }) => problems.length > 1),
  tell: (kernel) => retelling(kernel, (report) => ({ ...report, problems: report.problems.slice(0, 1) })),
};

const otherOrder: Lie = {
  name: "checks-in-another-order",
  does: "reports the checks in the order of their names",
  concerns: reports(() => true),
  tell: (kernel) =>
    retelling(kernel, (report) => ({
      ...report,
      checks: report.checks.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    })),
};

/** The malicious verifiers that retell a report. */
export const TOLD_OTHERWISE: readonly Lie[] = [alwaysVerified, firstProblemOnly, otherOrder];
