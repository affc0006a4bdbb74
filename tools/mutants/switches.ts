/**
 * The functions that instrumented code calls: which mutant is active, and which mutants some code has reached. Their
 * names are the instrumenter's.
 */

/** How often each mutant's place was reached, by mutant. */
export type Hits = Map<string, number>;

/** The state of the switches; one for a process. */
export const switches = {
  /** The active mutant; null for unchanged code. */
  active: null as string | null,
  /** How often the active mutant may still be reached before it counts as an endless loop. */
  hitsLeft: Number.POSITIVE_INFINITY,
  /** The counter of hits; null while hits are not counted. */
  hits: null as Hits | null,
  /**
   * When counting ends, by `performance.now()`: a longer test is not run under mutants, and is faster without counting.
   */
  countedUntil: Number.POSITIVE_INFINITY,
};

/** The clock is read once in so many hits. */
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
