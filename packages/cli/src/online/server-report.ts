/**
 * A server's report, unchanged. This file checks its shape enough to show it (protocol section 16), and does not say
 * that it is true.
 */
import type { Json, Report } from "@svc/core";

const VERDICTS = ["verified", "rejected", "untrusted"];

/** Returns the report, if a value has the members that are shown; null for anything else. */
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

/**
 * Returns the places at which two reports differ in members that section 16 demands to be equal, as JSON Pointers with
 * both values.
 */
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

/** Returns a report without the verifier and without wording. */
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
