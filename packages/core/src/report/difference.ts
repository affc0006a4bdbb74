/** Finds the place at which two reports differ. */
import type { Report } from "./report.ts";

/** The first place at which two values differ, and the values there. */
export type Difference = {
  /** JSON Pointer (RFC 6901) into both reports. */
  readonly path: string;
  /** The value there in each, as JSON text; null where it is missing. */
  readonly values: readonly [string | null, string | null];
};

/**
 * Returns the first difference of two reports in the order of their members, `verifier` left out; null if they do not
 * differ.
 */
export function reportDifference(left: Report, right: Report): Difference | null {
  return differenceAt({ ...left, verifier: null }, { ...right, verifier: null }, "");
}

function differenceAt(left: unknown, right: unknown, path: string): Difference | null {
  if (!isComposite(left) || !isComposite(right) || Array.isArray(left) !== Array.isArray(right))
    return Object.is(left, right) ? null : { path, values: [jsonOf(left), jsonOf(right)] };
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const difference = differenceAt(left[name], right[name], `${path}/${name}`);
    if (difference !== null) return difference;
  }
  return null;
}

/** An object or an array: both are compared by their members. */
function isComposite(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function jsonOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
