/**
 * What a mutation of good evidence is, and the classes of them. A class says what was done; whether a verifier may still accept the
 * result, and with which code it must refuse it, each mutant says of itself.
 */
import type { Json } from "../kernel/kernel.ts";
import type { ProblemCode } from "../report/codes.ts";

/** Every class of mutation, in the order in which mutants come. */
export const MUTANT_CLASSES = [
  /** A value, or a line of a note, is another one of its type. */
  "changed",
  /** A value is one of another type. */
  "retyped",
  "deleted",
  "renamed",
  /** A member stands there that nobody asked for. */
  "added",
  /** An element of an array, or a line of a note, is gone; there twice; or stands behind its neighbour. */
  "dropped",
  "repeated",
  "swapped",
  /** A member name stands twice in the text. */
  "duplicated",
  /** The text is not the JSON that the protocol accepts. */
  "misencoded",
  /** The same value in other bytes. */
  "respelled",
  /** What may be left out together is left out. */
  "omitted",
  /** A key of a stranger travels with the object. */
  "hinted",
  /** A part of another valid object of the same kind stands in the place of this one's. */
  "spliced",
  /** Edited, and everything that can be computed without a key computed again. */
  "rehashed",
  /** Edited, and everything computed and signed again by a stranger, whose key travels with the object. */
  "resealed",
] as const;

/** What was done to the good object. */
export type MutantClass = (typeof MUTANT_CLASSES)[number];

/** One mutation of a good object. */
export interface Mutant {
  /** The class and a number, as in `changed-00017`: unique among the mutants of one object, and fit for the name of a file. */
  readonly id: string;
  readonly class: MutantClass;
  /** Where it was done: a JSON Pointer (RFC 6901) into the good object. */
  readonly path: string;
  /** What was done there, in words. */
  readonly description: string;
  /** What is to be verified. */
  readonly bytes: Uint8Array;
  /** The codes of which one is the first problem's where the mutant is refused; null where any refusal will do. */
  readonly expected: ReadonlySet<ProblemCode> | null;
  /** Whether the protocol leaves this change free, so that the mutant may be `verified`. Every other mutant must not be. */
  readonly free: boolean;
}

/** A changed value, and what was changed. */
export interface Edit {
  readonly class: MutantClass;
  /** JSON Pointer (RFC 6901). */
  readonly path: string;
  readonly description: string;
  readonly value: Json;
}

/** Gives each mutant of an object its id: asked for one after the other, with their classes. */
export function mutantIds(): (mutantClass: MutantClass) => string {
  const numbers = new Map<MutantClass, number>();
  return (mutantClass) => {
    const number = (numbers.get(mutantClass) ?? 0) + 1;
    numbers.set(mutantClass, number);
    return `${mutantClass}-${String(number).padStart(5, "0")}`;
  };
}
