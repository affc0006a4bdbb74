/**
 * Judges mutants of good evidence: none stays verified that is not free to, each is refused for its own reason, none
 * shows more than the good object did, and both kernels say the same. It verifies; tests decide what is mutated, and
 * how.
 */
import { type Assurance, crossCheck, type Report, type VerifyOptions, verify } from "../src/index.ts";
import type { Mutant, MutantClass } from "../src/tamper/index.ts";

/** One mutant in so many is also verified with the reference kernel. */
const CROSS_CHECKED = 25;

/** The words of a report that convicts a service. */
export const BLAME = /issued something wrong|against the service|the service told/;

/** The counts so far. */
export interface Tally {
  made: number;
  survivors: number;
  free: number;
  crossChecked: number;
  /** The classes that have occurred, and those of which a free mutant stayed verified. */
  readonly seen: Set<MutantClass>;
  readonly verified: Set<MutantClass>;
}

/** Returns a tally of nothing. */
export function emptyTally(): Tally {
  return { made: 0, survivors: 0, free: 0, crossChecked: 0, seen: new Set(), verified: new Set() };
}

/** The verdict and the assurance of a good object; for a mutant with parts of another one, of both. */
export interface Before {
  readonly name: string;
  readonly verdict: string;
  readonly most: readonly Assurance[];
}

/** Verifies mutants. Yields the faults in words. */
export function* faultsOf(
  mutants: Iterable<Mutant>,
  options: VerifyOptions,
  { name, verdict, most }: Before,
  tally: Tally,
): Generator<string> {
  for (const mutant of mutants) {
    const about = `${name} ${mutant.id}: ${mutant.path} ${mutant.description}`;
    tally.made++;
    tally.seen.add(mutant.class);
    try {
      const own = verify(mutant.bytes, options);
      if (own.ok && mutant.free) {
        tally.free++;
        tally.verified.add(mutant.class);
      }
      if (own.ok && !mutant.free) tally.survivors++;
      const found = [
        survivalFault(own, mutant, verdict),
        codeFault(own, mutant),
        blameFault(own),
        assuranceFault(own, mutant.class === "spliced" ? most : most.slice(0, 1)),
        tally.made % CROSS_CHECKED === 0 ? kernelFault(mutant, options, tally) : null,
      ];
      for (const fault of found) if (fault !== null) yield `${about}: ${fault}`;
    } catch (error) {
      yield `${about}: ${error}`;
    }
  }
}

/** Nothing stays verified that is not free to, and another spelling of the same value changes nothing. */
function survivalFault({ ok, verdict }: Report, mutant: Mutant, before: string): string | null {
  if (ok && !mutant.free) return "it stayed verified";
  return mutant.class === "respelled" && verdict !== before ? `it became ${verdict}` : null;
}

/** The first problem must have one of the mutant's expected codes. */
export function codeFault({ ok, problems }: Report, { expected }: Mutant): string | null {
  if (ok) return null;
  const [first] = problems;
  if (first === undefined) return "it was refused without a problem";
  if (expected === null || expected.has(first.code)) return null;
  return `${first.code} is not one of ${[...expected].join(", ")}`;
}

/** Nobody who made these mutants has the service's key, so that nothing in a report may accuse it. */
function blameFault({ problems }: Report): string | null {
  const accusing = problems.find(({ message, action }) => BLAME.test(`${message} ${action}`));
  return accusing === undefined ? null : `${accusing.code} accuses the service: ${accusing.message} ${accusing.action}`;
}

const PUBLISHED = ["none", "included", "witnessed"];
const ANCHORED = ["none", "pending", "unpinned", "pinned"];

/** No single assurance may be higher than the highest of these. */
function assuranceFault({ assurance }: Report, most: readonly Assurance[]): string | null {
  for (const [name, level] of Object.entries(levels(assurance))) {
    const highest = Math.max(...most.map((one) => levels(one)[name] ?? 0));
    if (level > highest) return `${name} rose from ${highest} to ${level}`;
  }
  return null;
}

function levels({ signed, included, complete, witnessed, published, anchored }: Assurance): Record<string, number> {
  return {
    signed: Number(signed),
    included: Number(included),
    complete: Number(complete),
    witnessed: witnessed.valid,
    pinned: witnessed.pinned,
    published: PUBLISHED.indexOf(published),
    anchored: ANCHORED.indexOf(anchored),
  };
}

/** Both kernels must give the same report. */
function kernelFault({ bytes }: Mutant, { kernel: _one, ...options }: VerifyOptions, tally: Tally): string | null {
  tally.crossChecked++;
  const { agree, first_difference } = crossCheck(bytes, options).cross_check;
  return agree ? null : `the kernels differ at ${first_difference?.path}`;
}
