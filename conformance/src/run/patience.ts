/**
 * When to stop asking: a program that never answers an operation would keep the runner for days. The rule looks at
 * cases in their order only, so that it says the same however many programs ran at once.
 */
import { type Judgement, notAsked } from "../judge/judge.ts";

/** An operation is given up after so many cases without an answer that hung, */
const MAX_HUNG = 3;
/** or that had any fault, */
const MAX_FAULTS = 25;
/** provided that no case of it had an answer. The same holds for all operations together, under this name. */
const ALL = "";

interface Tally {
  hung: number;
  faults: number;
  answered: boolean;
}

export class Patience {
  readonly #tallies = new Map<string, Tally>();

  /** Says whether an operation was given up. */
  isOver(op: string): boolean {
    return [op, ALL].some((key) => {
      const { hung, faults, answered } = this.#tally(key);
      return !answered && (hung >= MAX_HUNG || faults >= MAX_FAULTS);
    });
  }

  /** Takes the next case in order, and returns its judgement, or that it counts as not asked. */
  take(op: string, judgement: Judgement | undefined): Judgement {
    if (this.isOver(op) || judgement === undefined)
      return notAsked(`the program answered none of the cases of this operation before`);
    for (const key of [op, ALL]) {
      const tally = this.#tally(key);
      if (judgement.fault === null) tally.answered = true;
      else tally.faults++;
      if (judgement.fault === "hung") tally.hung++;
    }
    return judgement;
  }

  #tally(key: string): Tally {
    const tally = this.#tallies.get(key) ?? { hung: 0, faults: 0, answered: false };
    this.#tallies.set(key, tally);
    return tally;
  }
}
