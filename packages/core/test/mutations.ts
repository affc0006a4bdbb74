/** The small edits of a JSON value, for tests of objects that they make themselves. The test decides on the results. */
import type { Json } from "../src/index.ts";
import { edits } from "../src/tamper/edits.ts";

export interface Mutant {
  /** JSON Pointer and the edit there, as in `/seal/kid changed to "…"`. */
  readonly what: string;
  readonly value: Json;
}

/** Yields all single edits of a value, one after the other. */
export function* mutants(root: Json): Generator<Mutant> {
  for (const { class: own, path, description, value } of edits(root)) {
    // Two kinds of fork evidence can be true of the same sides; tamper.slow.test.ts knows which.
    if (own === "changed" && path === "/kind") continue;
    yield { what: `${path} ${description}`, value };
  }
}
