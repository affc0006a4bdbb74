/**
 * The test files that a changed source affects, in the order in which they are tried: quick ones of its own room before
 * slow ones, then those of its dependents, and foreign programs at the end. The directest come first, then the cheapest.
 */
import { basename } from "node:path";
import { distanceOf, SAME_ROOM } from "../affected.ts";
import { type Costs, usualSeconds } from "../costs.ts";
import { nameOf, TIERS, type Tier, tierOf, type Unit } from "../plan.ts";
import { type Importers, importDepths } from "./imports.ts";
import { languageOf } from "./masked.ts";

/** A test file that may notice a fault. */
export interface Candidate {
  readonly unit: Unit;
  /** The tier that runs it in this form. */
  readonly tier: Tier;
  readonly distance: number;
  /** What it is taken to need, in seconds. */
  readonly seconds: number;
}

/** A file that no import leads to comes behind all others of its distance. */
const NOWHERE = 99;

/** Returns the candidates in order. */
export function candidatesOf(
  source: string,
  {
    units,
    costs,
    importers,
  }: { readonly units: readonly Unit[]; readonly costs: Costs; readonly importers: Importers },
): Candidate[] {
  const depths = importDepths(source, importers);
  const usual = Object.fromEntries(TIERS.map((tier) => [tier, usualSeconds(tier, costs.seconds)]));
  const ranked = units.flatMap((unit) => {
    const distance = distanceOf(unit, [source]);
    if (distance === null) return [];
    const tier = unit.form === "plain" ? tierOf(unit.file) : "slow";
    // On PostgreSQL and in full a file takes some times as long.
    const known = costs.seconds[nameOf(unit)] ?? (unit.form === "plain" ? undefined : costs.seconds[unit.file]);
    const seconds = known ?? usual[tier] ?? 0;
    const isNamesake = stemOf(unit.file) === stemOf(source);
    const isReached = isNamesake || depths.has(unit.file) || languageOf(source) !== "ts";
    // Imports say nothing of programs that a test starts, and of other languages.
    const band = tier === "real" ? 3 : distance > SAME_ROOM ? 1 + Number(!isReached) : 0;
    const form = unit.form === "plain" ? 0 : 1;
    const rank = [
      band,
      TIERS.indexOf(tier),
      isNamesake ? 0 : 1,
      form,
      distance,
      depths.get(unit.file) ?? NOWHERE,
      seconds,
    ];
    return [{ candidate: { unit, tier, distance, seconds }, rank }];
  });
  return ranked.sort((a, b) => compared(a.rank, b.rank)).map(({ candidate }) => candidate);
}

function compared(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, place) => value !== b[place]);
  return index === -1 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}

/** Returns the name of a source or of a test, without what stands behind its first dot. */
function stemOf(path: string): string {
  return basename(path).replace(/\..*$/, "").replaceAll("_", "-");
}
