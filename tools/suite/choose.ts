/**
 * Chooses what a run of CI tries beyond the quick tests, within a budget of time: what always runs, then what the
 * change affects, then others in turn. It says for each unit why it runs, or why not.
 */
import { hash } from "node:crypto";
import { distanceOf } from "./affected.ts";
import { ALWAYS } from "./always.ts";
import type { Costs } from "./costs.ts";
import { usualSeconds } from "./costs.ts";
import { nameOf, TIERS, tierOf, type Unit } from "./plan.ts";

/** The reason for a unit's run. */
export type Reason = "always" | "affected" | "rotation";
/** The reason for leaving a unit out. */
export type LeftOut = "affected, and no time is left" | "not affected";

/** A unit, what it is taken to cost, and why it runs or does not. */
export interface Weighed<Why> {
  readonly unit: Unit;
  readonly seconds: number;
  readonly why: Why;
}

/** The choice of a run. */
export interface Choice {
  readonly chosen: readonly Weighed<Reason>[];
  readonly leftOut: readonly Weighed<LeftOut>[];
}

/** The inputs of a choice. */
export interface Question {
  /** The units to choose from. */
  readonly units: readonly Unit[];
  /** The paths that changed; null for all. */
  readonly changes: readonly string[] | null;
  readonly costs: Costs;
  /** Turns the rotation: the same seed chooses the same units. */
  readonly seed: string;
}

/** A run tries this many files at a time, so that a file of so many seconds takes one second of the run. */
export const CONCURRENCY = 4;
/** The time of a run for what always runs and what is affected, in seconds. */
const BUDGET_S = 600;
/** The rotation fills a run up to this time, in seconds. */
const ROTATION_S = 360;

/** Chooses. Units that always run do so whatever they cost. */
export function choose({ units, changes, costs, seed }: Question): Choice {
  const usual = Object.fromEntries(TIERS.map((tier) => [tier, usualSeconds(tier, costs.seconds)]));
  const secondsOf = (unit: Unit) => (costs.seconds[nameOf(unit)] ?? usual[tierOf(unit.file)] ?? 0) / CONCURRENCY;
  const chosen: Weighed<Reason>[] = [];
  let spent = 0;
  const take = (unit: Unit, why: Reason, budget: number): boolean => {
    const seconds = secondsOf(unit);
    if (spent + seconds > budget) return false;
    spent += seconds;
    chosen.push({ unit, seconds, why });
    return true;
  };
  const rest = units.filter((unit) => !(ALWAYS.has(nameOf(unit)) && take(unit, "always", Number.POSITIVE_INFINITY)));
  const distances = new Map(rest.map((unit) => [unit, distanceOf(unit, changes)]));
  const distance = (unit: Unit) => distances.get(unit) ?? Number.POSITIVE_INFINITY;
  const affected = rest
    .filter((unit) => distances.get(unit) !== null)
    .sort((a, b) => distance(a) - distance(b) || secondsOf(a) - secondsOf(b) || (nameOf(a) < nameOf(b) ? -1 : 1));
  const noTime = new Set(affected.filter((unit) => !take(unit, "affected", BUDGET_S)));
  const turn = (unit: Unit) => hash("sha256", `${seed} ${nameOf(unit)}`);
  const others = rest
    .filter((unit) => distances.get(unit) === null || noTime.has(unit))
    .sort((a, b) => (turn(a) < turn(b) ? -1 : 1));
  const leftOut = others
    .filter((unit) => !take(unit, "rotation", ROTATION_S))
    .map((unit): Weighed<LeftOut> => {
      const why = noTime.has(unit) ? "affected, and no time is left" : "not affected";
      return { unit, seconds: secondsOf(unit), why };
    });
  return { chosen, leftOut };
}

/** Returns the lines that tell a choice: by reason, the units by name. */
export function linesOf({ chosen, leftOut }: Choice): string[] {
  const all: readonly Weighed<Reason | LeftOut>[] = [...chosen, ...leftOut];
  return [...Map.groupBy(all, ({ why }) => why)].flatMap(([why, weighed]) => {
    const seconds = weighed.reduce((sum, one) => sum + one.seconds, 0);
    const runs = leftOut.some((one) => one.why === why) ? "NOT RUN" : "RUN";
    return [
      `${runs}, ${why}: ${weighed.length} files, about ${Math.round(seconds)} s`,
      ...weighed.map(({ unit, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${nameOf(unit)}`),
    ];
  });
}

/** Returns what may be chosen: all but the quick tests, which always run. Properties in full wait for a whole run. */
export function isChoosable(unit: Unit): boolean {
  return unit.form === "postgres" || tierOf(unit.file) !== "quick";
}
