/** A server's report as it came: enough of its shape to show it (protocol section 16). That it is true, nothing here says. */
import type { Json, Report } from "@svc/core";

const VERDICTS = ["verified", "rejected", "untrusted"];

/** The report, where a value has the members that are shown; null for anything else. */
export function asReport(value: Json): Report | null {
  const report = value as Partial<Report> | null;
  const isReport =
    typeof report === "object" &&
    report !== null &&
    VERDICTS.includes(report.verdict as string) &&
    report.ok === (report.verdict === "verified") &&
    typeof report.subject === "object" &&
    report.subject !== null &&
    isListOf(report.signers, ["kid", "role", "reached"]) &&
    isListOf(report.checks, ["id", "status"]) &&
    isListOf(report.problems, ["code", "path", "message", "action"]) &&
    [report.proves, report.does_not_prove].every((list) => Array.isArray(list) && list.every(isText));
  return isReport ? (report as Report) : null;
}

/** The places at which two reports differ in what section 16 says must be equal, as JSON Pointers with both values. */
export function differences(left: Report, right: Report): string[] {
  const found: string[] = [];
  const compare = (a: unknown, b: unknown, path: string): void => {
    if (isComposite(a) && isComposite(b)) {
      for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) compare(a[name], b[name], `${path}/${name}`);
    } else if (!Object.is(a, b)) found.push(`${path}: ${shown(a)} there, ${shown(b)} here`);
  };
  compare(stable(left), stable(right), "");
  return found;
}

/** Without the verifier and without wording. */
function stable({ verdict, kind, subject, assurance, signers, checks, problems }: Report): object {
  return {
    verdict,
    kind,
    subject,
    assurance,
    signers,
    checks: Object.fromEntries(checks.map(({ id, status, count }) => [id, { status, count }])),
    problems: problems.map(({ message: _message, action: _action, ...stated }) => stated),
  };
}

function shown(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}

function isComposite(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isListOf(value: unknown, names: readonly string[]): boolean {
  return Array.isArray(value) && value.every((item) => isComposite(item) && names.every((name) => isText(item[name])));
}
