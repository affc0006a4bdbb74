/** One change of a truth package, before it has a number. */
import type { ProblemCode } from "../../report/codes.ts";
import type { Mutant } from "../mutant.ts";

/** What was done to a package; its bytes are made when they are asked for. */
export interface PackageEdit extends Pick<Mutant, "class" | "path" | "description" | "expected" | "free"> {
  bytes(): Uint8Array;
}

/** Codes of which one comes first. */
export function codes(...all: readonly ProblemCode[]): ReadonlySet<ProblemCode> {
  return new Set(all);
}
