/**
 * The test files that a changed source affects, in the order in which they are tried. Those whose path has words of the
 * source's path come first, and quick ones of the same room; foreign programs that are no kin come last.
 */
import { basename } from "node:path";
import { distanceOf, SAME_ROOM } from "../affected.ts";
import { type Costs, usualSeconds } from "../costs.ts";
import { nameOf, TIERS, type Tier, tierOf, type Unit } from "../plan.ts";
import { type Importers, importDepths } from "./imports.ts";

/** A test file that may notice a fault. */
export interface Candidate {
  readonly unit: Unit;
  /** The tier that runs it in this form. */
  readonly tier: Tier;
  /** Null where the folders say that the source does not affect it. */
  readonly distance: number | null;
  /** The time that it is taken to need. */
  readonly seconds: number;
  /** Whether it runs a built product, as far as imports tell. */
  readonly needsProducts: boolean;
}

/** The room of the testkit from which test files get built products. */
const PRODUCTS = "packages/testkit/src/built.ts";

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
  const ofProducts = importDepths(PRODUCTS, importers);
  const usual = Object.fromEntries(TIERS.map((tier) => [tier, usualSeconds(tier, costs.seconds)]));
  const ranked = units.flatMap((unit) => {
    const distance = distanceOf(unit, [source]);
    // Imports can lead to a file that the folders take for a stranger: it would be an escape.
    if (distance === null && !depths.has(unit.file)) return [];
    const tier = unit.form === "plain" ? tierOf(unit.file) : "slow";
    // On PostgreSQL and in full a file takes some times as long.
    const known = costs.seconds[nameOf(unit)] ?? (unit.form === "plain" ? undefined : costs.seconds[unit.file]);
    const seconds = known ?? usual[tier] ?? 0;
    const kinship = kinshipOf(source, unit.file);
    const form = unit.form === "plain" ? 0 : 1;
    const group = groupOf(tier, distance, kinship > 0 && form === 0);
    const rank = [group, form, -kinship, distance ?? NOWHERE, depths.get(unit.file) ?? NOWHERE, seconds];
    const needsProducts = ofProducts.has(unit.file);
    return [{ candidate: { unit, tier, distance, seconds, needsProducts }, rank }];
  });
  return ranked.sort((a, b) => compared(a.rank, b.rank)).map(({ candidate }) => candidate);
}

function compared(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, place) => value !== b[place]);
  return index === -1 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}

/** Returns the place of a candidate's group: kin of the source that is slow comes before strangers that are quick. */
function groupOf(tier: Tier, distance: number | null, isKin: boolean): number {
  const isOfRoom = distance !== null && distance <= SAME_ROOM;
  if (tier === "real" && !(isOfRoom && isKin)) return 8;
  if (distance === null) return 5;
  if (isOfRoom) return tier === "quick" ? 0 : isKin ? 1 : 4;
  if (isKin) return tier === "quick" ? 2 : 3;
  return tier === "quick" ? 6 : 7;
}

/** The room at the beginning of a path. */
const ROOM = /^(?:(?:packages|sdks)\/)?[^/]+\//;
/** Words of a path that say nothing of what a file is about. */
const NO_WORDS = /^(?:packages|sdks|src|test|tests|internal|svc|index|main|slow|prop|diff|e2e|vectors|real|ts|go|py)$/;

/** Returns the number of words that two paths share, and one more if they end with the same name. */
function kinshipOf(source: string, file: string): number {
  const words = wordsOf(source);
  const shared = wordsOf(file).filter((word) => words.includes(word)).length;
  return shared + Number(stemOf(source) === stemOf(file));
}

/** Returns the words of a path behind its room, each in the singular. */
function wordsOf(path: string): string[] {
  const words = path.replace(ROOM, "").split(/[^a-z0-9]+/i);
  return [...new Set(words.map((word) => word.replace(/s$/, "")))].filter(
    (word) => word !== "" && !NO_WORDS.test(word),
  );
}

/** Returns the name of a file without what is behind its first dot. */
function stemOf(path: string): string {
  return basename(path).replace(/\..*$/, "").replaceAll("_", "-");
}
