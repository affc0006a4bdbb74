/**
 * The functions that instrumented code calls: which mutant is active, and which mutants some code has come by. Their names are the
 * instrumenter's.
 */

/** How often each mutant's place was come by, by mutant. */
export type Hits = Map<string, number>;

/** The state of the switches; one for a process. */
export const switches = {
  /** The mutant that is active; null for the code as it is. */
  active: null as string | null,
  /** How often the active mutant may still be come by before it counts as an endless loop. */
  hitsLeft: Number.POSITIVE_INFINITY,
  /** Where hits are counted; null while they are not. */
  hits: null as Hits | null,
  /** When counting ends, by `performance.now()`: a test that takes longer is not run under mutants, and is faster without it. */
  countedUntil: Number.POSITIVE_INFINITY,
};

/** The clock is looked at once in so many hits. */
const HITS_PER_LOOK = 4096;
let hitsToLook = HITS_PER_LOOK;

Object.assign(globalThis, {
  stryMutAct_9fa48(id: string): boolean {
    if (id !== switches.active) return false;
    if (--switches.hitsLeft < 0) throw new Error("an endless loop");
    return true;
  },
  stryCov_9fa48(...ids: readonly string[]): void {
    const { hits } = switches;
    if (hits === null) return;
    for (const id of ids) hits.set(id, (hits.get(id) ?? 0) + 1);
    if (--hitsToLook > 0) return;
    hitsToLook = HITS_PER_LOOK;
    if (performance.now() > switches.countedUntil) switches.hits = null;
  },
});
