/** The bounds of a report: it stays readable and small for any input. */
import { MAX_TEXT_CHARACTERS } from "../schema/pointer.ts";
import type { Finding } from "./report.ts";

/** A report lists so many problems and so many signers. */
export const MAX_PROBLEMS = 1000;

/** Returns a text as a report shows it: cut, and well-formed where the cut went through a character. */
export function cut(text: string): string {
  return (text.length > MAX_TEXT_CHARACTERS ? `${text.slice(0, MAX_TEXT_CHARACTERS)}…` : text).toWellFormed();
}

/** Returns a finding with its texts cut. */
export function shortened(finding: Finding): Finding {
  const { path, message, expected, actual } = finding;
  return {
    ...finding,
    path: cut(path),
    message: cut(message),
    ...(expected === undefined ? {} : { expected: cut(expected) }),
    ...(actual === undefined ? {} : { actual: cut(actual) }),
  };
}
