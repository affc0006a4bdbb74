/**
 * Every standard mutation of one good object (protocol section 16), with the result that a verifier must give. They are
 * made lazily, and are the same each time. This file does NOT verify: its callers do.
 */
import type { Json, Kernel } from "../kernel/kernel.ts";
import type { JsonKind } from "../report/checks.ts";
import type { ProblemCode } from "../report/codes.ts";
import { edits } from "./edits.ts";
import { expectedCodes } from "./expected-codes.ts";
import { withHint } from "./forge/forged.ts";
import { forgeries } from "./forgeries.ts";
import { malleabilityOf } from "./malleability/kinds.ts";
import { isWithin, omissions } from "./malleability/malleability.ts";
import { type Edit, type Mutant, type MutantClass, mutantIds } from "./mutant.ts";
import { noteEdits } from "./notes.ts";
import { isObject, isSame } from "./places.ts";
import { schemaCodes } from "./schema-codes.ts";
import { splices } from "./splices.ts";
import { duplicated, misencoded, respelled, type TextEdit } from "./texts.ts";

/** Decides whether mutants of a class are made at a JSON Pointer. */
export type Select = (mutantClass: MutantClass, path: string) => boolean;

/** The input for mutants. */
export interface MutantOptions {
  /** Computes the hashes of parts that are made consistent again, and the bytes of all. */
  readonly kernel: Kernel;
  /** Other valid objects of the same kind, whose parts are put in the place of the good one's. */
  readonly donors?: readonly Json[];
  /**
   * Selects the mutants to make, by class and place; by default all. The others keep their numbers, and cost nothing.
   */
  readonly select?: Select;
}

/**
 * Yields the mutants of a good object of this kind, one after the other. `good` is a strictly parsed value that was
 * `verified` under the trust policy under which the mutants are to be verified. (The kinds `inclusion` and `witness`
 * have no seal, and so were `untrusted`.)
 */
export function* mutants(kind: JsonKind, good: Json, options: MutantOptions): Generator<Mutant> {
  const { kernel, donors = [], select = () => true } = options;
  const idOf = mutantIds();
  for (const edit of textEdits(good)) {
    const { path, description, code } = edit;
    const id = idOf(edit.class);
    if (!select(edit.class, path)) continue;
    const expected = code === null ? null : new Set<ProblemCode>([code]);
    yield { id, class: edit.class, path, description, bytes: edit.bytes(), expected, free: code === null };
  }
  for (const { edit, sources } of valueEdits(kernel, kind, good, donors)) {
    const { path, description } = edit;
    const id = idOf(edit.class);
    if (!select(edit.class, path)) continue;
    const { value } = edit;
    // A computed value can be the same as before.
    if (isSame(value, good)) continue;
    const ofShape = schemaCodes(kind, value);
    const isFree = (base: Json) => isWithin(malleabilityOf(kind), value, base, { kernel, sources });
    const free = ofShape.size === 0 && sources.some(isFree);
    const bytes = kernel.canonicalize(value);
    const expected = ofShape.size > 0 ? ofShape : expectedCodes(kind, edit, free);
    yield { id, class: edit.class, path, description, bytes, expected, free };
  }
}

function* textEdits(good: Json): Generator<TextEdit> {
  yield* duplicated(good);
  yield* misencoded(good);
  yield* respelled(good);
}

/** Yields edits, each with the valid objects that its parts come from. */
function* valueEdits(
  kernel: Kernel,
  kind: JsonKind,
  good: Json,
  donors: readonly Json[],
): Generator<{ readonly edit: Edit; readonly sources: readonly Json[] }> {
  const sources = [good];
  for (const group of [edits(good), noteEdits(good), freeEdits(kernel, kind, good), forgeries(kernel, kind, good)])
    for (const edit of group) yield { edit, sources };
  for (const donor of donors) for (const edit of splices(good, donor)) yield { edit, sources: [good, donor] };
}

function* freeEdits(kernel: Kernel, kind: JsonKind, good: Json): Generator<Edit> {
  for (const omission of omissions(malleabilityOf(kind), good)) yield { class: "omitted", ...omission };
  if (!isObject(good)) return;
  const value = withHint({ kernel }, kind, good);
  yield { class: "hinted", path: "/key_hints", description: "given a stranger's key", value };
}
