/** The results of a verifier on mutants, counted by class. */
import type { Report } from "@svc/core";
import { MUTANT_CLASSES, type Mutant, type MutantClass } from "@svc/core/tamper";

/** The numbers of one class. `caught`, `free` and `survivors` make up `made`. */
export interface Counts {
  made: number;
  /** Refused. */
  caught: number;
  /** Still verified, which the protocol allows for this change. */
  free: number;
  /** Still verified, and must not be; or refused with a code that does not fit. */
  survivors: number;
}

/** A mutant that was not refused as it must be. */
export interface Survivor {
  readonly mutant: Mutant;
  /** The code with which it was refused; null if it was not. */
  readonly code: string | null;
}

export class Tally {
  readonly survivors: Survivor[] = [];
  readonly #counts = new Map<MutantClass, Counts>();

  /** Counts one mutant by the report on it. */
  add(mutant: Mutant, { ok, problems }: Report): void {
    const counts = this.#counts.get(mutant.class) ?? { made: 0, caught: 0, free: 0, survivors: 0 };
    this.#counts.set(mutant.class, counts);
    counts.made++;
    const code = problems[0]?.code ?? null;
    const isFitting = code !== null && (mutant.expected === null || mutant.expected.has(code));
    if (ok && mutant.free) counts.free++;
    else if (!ok && (isFitting || mutant.free)) counts.caught++;
    else {
      counts.survivors++;
      this.survivors.push({ mutant, code: ok ? null : code });
    }
  }

  /** The classes that occurred, in core's order. */
  get rows(): readonly (readonly [MutantClass, Counts])[] {
    return MUTANT_CLASSES.flatMap((own) => {
      const counts = this.#counts.get(own);
      return counts === undefined ? [] : [[own, counts] as const];
    });
  }

  /** All classes together. */
  get total(): Counts {
    const sum = (name: keyof Counts) => this.rows.reduce((all, [, counts]) => all + counts[name], 0);
    return { made: sum("made"), caught: sum("caught"), free: sum("free"), survivors: sum("survivors") };
  }
}
