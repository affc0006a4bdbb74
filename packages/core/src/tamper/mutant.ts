/**
 * One mutation of good evidence, and the classes of mutations. A class says what was done. Each mutant itself says
 * whether a verifier may still accept it, and with which code it must refuse it.
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
  /** A member is added that does not belong there. */
  "added",
  /** An element of an array, or a line of a note, is gone, is repeated, or is behind its neighbour. */
  "dropped",
  "repeated",
  "swapped",
  /** A member name appears twice in the text. */
  "duplicated",
  /** The text is not the JSON that the protocol accepts. */
  "misencoded",
  /** The same value in other bytes. */
  "respelled",
  /** Members that may be left out together are left out. */
  "omitted",
  /** A key of a stranger travels with the object. */
  "hinted",
  /** A part of another valid object of the same kind is in the place of this one's. */
  "spliced",
  /** Edited, with everything computed again that needs no key. */
  "rehashed",
  /** Edited, with everything computed again and signed by a stranger, whose key travels with the object. */
  "resealed",
] as const;

/** The class of a mutation. */
export type MutantClass = (typeof MUTANT_CLASSES)[number];

/** One mutation of a good object. */
export interface Mutant {
  /**
   * The class and a number, as in `changed-00017`: unique among the mutants of one object, and fit for the name of a
   * file.
   */
  readonly id: string;
  readonly class: MutantClass;
  /** The place of the edit: a JSON Pointer (RFC 6901) into the good object. */
  readonly path: string;
  /** The edit in words. */
  readonly description: string;
  /** The bytes to verify. */
  readonly bytes: Uint8Array;
  /** If the mutant is refused, the code of its first problem must be one of these; null if any refusal will do. */
  readonly expected: ReadonlySet<ProblemCode> | null;
  /** Whether the protocol leaves this change free, so that the mutant may be `verified`. No other mutant may be. */
  readonly free: boolean;
}

/** A changed value, and the edit. */
export interface Edit {
  readonly class: MutantClass;
  /** JSON Pointer (RFC 6901). */
  readonly path: string;
  readonly description: string;
  readonly value: Json;
}

/** Returns a function that gives each mutant of an object its id, in the order of the mutants. */
export function mutantIds(): (mutantClass: MutantClass) => string {
  const numbers = new Map<MutantClass, number>();
  return (mutantClass) => {
    const number = (numbers.get(mutantClass) ?? 0) + 1;
    numbers.set(mutantClass, number);
    return `${mutantClass}-${String(number).padStart(5, "0")}`;
  };
}
