/**
 * Whether a run is green. A file that failed has run again, alone: if it passed then, it is flaky, which is said, and
 * is red for too many at once. A file in quarantine blocks nothing.
 */

import { nameOf, type Unit } from "./plan.ts";
import type { Quarantined } from "./quarantine.ts";

/** A file that failed. */
export interface Failed {
  readonly unit: Unit;
  /** Its first failure. */
  readonly failure: string | null;
  /** Whether it passed when it ran again, alone; null if it did not run again. */
  readonly passedAlone: boolean | null;
}

/** So many flaky files make a run red. */
const MAX_FLAKY = 2;

/** Judges the failures of a run. Returns whether it is green, and the lines that tell why or why not. */
export function judge(
  failed: readonly Failed[],
  quarantine: { readonly entries: readonly Quarantined[]; readonly faults: readonly string[] },
): { readonly isGreen: boolean; readonly lines: readonly string[] } {
  const excused = new Map(quarantine.entries.map((entry) => [entry.name, entry]));
  const blocking = failed.filter(({ unit }) => !excused.has(unit.file));
  const flaky = blocking.filter(({ passedAlone }) => passedAlone === true);
  const tell = (word: string, { unit, failure }: Failed, more = "") =>
    `${word} ${nameOf(unit)}${more}: ${failure ?? "no test says why"}`;
  const lines = failed.map((one) => {
    const entry = excused.get(one.unit.file);
    if (entry !== undefined) return tell("QUARANTINED", one, `, until ${entry.until}, since ${entry.reason}`);
    return one.passedAlone === true ? tell("FLAKY", one) : tell("FAILED", one);
  });
  const tooMany = flaky.length > MAX_FLAKY ? [`${flaky.length} files are flaky; more than ${MAX_FLAKY} are red`] : [];
  const isGreen = flaky.length === blocking.length && tooMany.length === 0 && quarantine.faults.length === 0;
  return { isGreen, lines: [...lines, ...quarantine.faults, ...tooMany] };
}
