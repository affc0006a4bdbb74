/** One change of a truth package, before it has a number. */
import type { ProblemCode } from "../../report/codes.ts";
import type { Mutant } from "../mutant.ts";

/** The edit of a package; its bytes are made on demand. */
export interface PackageEdit extends Pick<Mutant, "class" | "path" | "description" | "expected" | "free"> {
  bytes(): Uint8Array;
}

/** Returns a set of codes, of which one must come first. */
export function codes(...all: readonly ProblemCode[]): ReadonlySet<ProblemCode> {
  return new Set(all);
}
