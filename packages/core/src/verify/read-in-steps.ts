/** Reads a bundle in bulk step by step, so that a thread can do other things between two parts. */
import { checkPart, countOf, type TakenPart, textsOfParts } from "../objects/bundle/parts.ts";
import type { Examination } from "../report/examination.ts";
import type { VaultEvidence } from "./kinds.ts";
import { holdsArtifactHash, join, openInBulk, type ReadInBulk, workOn } from "./read-in-bulk.ts";

/** About how much is done after a step, and how much there is in all. */
export type Step = readonly [done: number, of: number];

/** Work that is done step by step, and its result. */
export type Steps<T> = Generator<Step, T, undefined>;

/**
 * Does the same as readInBulk, with a step after each part of about `partBytes` bytes; by default of as many as is
 * fastest.
 */
export function* readInSteps(
  exam: Examination,
  bytes: Uint8Array,
  vaults?: VaultEvidence,
  partBytes?: number,
): Steps<ReadInBulk | null> {
  const { kernel } = exam;
  const open = openInBulk(exam, bytes, vaults);
  if (open === null || !holdsArtifactHash(kernel, open)) return null;
  const work = workOn(open, partBytes);
  const texts = textsOfParts(work);
  const taken: TakenPart[] = [];
  for (let part = 0; part < countOf(work); part++) {
    const run = checkPart(kernel, work, texts, part);
    taken.push([part, run]);
    // A fault in a part is found again when all is read.
    if (run === null) break;
    yield [taken.length, countOf(work)];
  }
  return join(kernel, open, work, taken);
}
