/** The bounds of a report: it stays readable and small for any input. */
import { MAX_TEXT_CHARACTERS } from "../schema/pointer.ts";
import type { Finding } from "./report.ts";

/** A report lists so many problems and so many signers. */
export const MAX_PROBLEMS = 1000;

/** Returns a finding with its texts cut, and well-formed where a cut went through a character. */
export function shortened(finding: Finding): Finding {
  const cut = (text: string) =>
    (text.length > MAX_TEXT_CHARACTERS ? `${text.slice(0, MAX_TEXT_CHARACTERS)}…` : text).toWellFormed();
  const { path, message, expected, actual } = finding;
  return {
    ...finding,
    path: cut(path),
    message: cut(message),
    ...(expected === undefined ? {} : { expected: cut(expected) }),
    ...(actual === undefined ? {} : { actual: cut(actual) }),
  };
}
