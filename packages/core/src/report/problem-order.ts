/** The order of a report's problems (protocol section 16). */

import type { ProblemCode } from "./codes.ts";

/** A problem with its ranks. */
export interface Ranked {
  /** The place of its check in the list of checks. */
  readonly check: number;
  /** The place of its sort within its check. */
  readonly sort: number;
  /** JSON Pointer, as the report shows it. */
  readonly path: string;
  /** The place of its code in the table of codes. */
  readonly code: number;
}

const DIGITS = /^[0-9]+$/;

/** Demands that are not met: the faults of what is there come before them. */
const UNMET: ReadonlySet<ProblemCode> = new Set(["witness_quorum_unmet", "anchor_missing", "assurance_insufficient"]);

/** Returns the rank of a problem within its check: faults, then unmet demands, then what rejects nothing. */
export function sortOf(code: ProblemCode, rejects: boolean): number {
  if (!rejects) return 2;
  return UNMET.has(code) ? 1 : 0;
}

/**
 * Compares two problems: by their checks, by their sorts, then by the objects and lists in which their paths end, an
 * object before what is in it, then by their codes, and last by their members.
 */
export function compareProblems(left: Ranked, right: Ranked): number {
  return left.check - right.check || left.sort - right.sort || compareInCheck(left, right);
}

function compareInCheck(left: Ranked, right: Ranked): number {
  const [end, otherEnd] = [endOf(left.path), endOf(right.path)];
  return (
    compareHolders(left.path.slice(0, end), right.path.slice(0, otherEnd)) ||
    left.code - right.code ||
    compareParts(left.path.slice(end + 1), right.path.slice(otherEnd + 1))
  );
}

/** Returns where the last part of a path begins, with its slash; its length if it has none. */
function endOf(path: string): number {
  const end = path.lastIndexOf("/");
  return end === -1 ? path.length : end;
}

/** Compares by the first parts that differ. It takes no paths apart: there may be a million problems. */
function compareHolders(left: string, right: string): number {
  if (left === right) return 0;
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  const from = at === 0 ? 0 : left.lastIndexOf("/", at - 1) + 1;
  return compareParts(partFrom(left, from), partFrom(right, from)) || left.length - right.length;
}

function partFrom(path: string, from: number): string {
  const end = path.indexOf("/", from);
  return path.slice(from, end === -1 ? path.length : end);
}

/** Compares numbers by value, before names; names by their UTF-16 code units, as canonical bytes sort members. */
function compareParts(left: string, right: string): number {
  if (left === right) return 0;
  const [isNumber, isOtherNumber] = [DIGITS.test(left), DIGITS.test(right)];
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return (isNumber ? left.length - right.length : 0) || (left < right ? -1 : 1);
}
