/**
 * The seconds of each test file, as `.ci/whole` measured them last, and the commit that it ran on. Nothing else writes
 * them. They order a run and fill its budget: a wrong one costs time, and hides no failure.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import process from "node:process";
import { type Tier, tierOf, unitNamed } from "./plan.ts";

/** The content of costs.json. */
export interface Costs {
  /** The commit of the last whole run, whose difference to a checkout is what changed; null if it is not known. */
  readonly commit: string | null;
  /** By unit: seconds of the clock, in a run of `CONCURRENCY` files at a time. */
  readonly seconds: Readonly<Record<string, number>>;
}

const NONE: Costs = { commit: null, seconds: {} };

/** Returns the costs of a file, and what is wrong with it; without usable ones nothing is known of any unit. */
export function readCosts(path: string | URL): { readonly costs: Costs; readonly fault: string | null } {
  try {
    const { commit, seconds } = JSON.parse(readFileSync(path, "utf8")) as Partial<Costs>;
    const isWhole =
      typeof commit === "string" &&
      /^[0-9a-f]{40}$/.test(commit) &&
      typeof seconds === "object" &&
      seconds !== null &&
      Object.values(seconds).every((value) => Number.isFinite(value) && value >= 0);
    if (!isWhole) return { costs: NONE, fault: "it lacks a commit, or the seconds of some file" };
    return { costs: { commit, seconds }, fault: null };
  } catch (error) {
    return { costs: NONE, fault: error instanceof Error ? error.message : String(error) };
  }
}

/** Writes the costs, whole or not at all, a line for each unit in the order of their names. */
export function writeCosts(path: string, { commit, seconds }: Costs): void {
  const rounded = Object.entries(seconds).map(([name, value]) => [name, Math.round(value * 10) / 10] as const);
  const sorted = Object.fromEntries(rounded.sort(([a], [b]) => (a < b ? -1 : 1)));
  const beside = `${path}.${process.pid}`;
  writeFileSync(beside, `${JSON.stringify({ commit, seconds: sorted }, null, 2)}\n`);
  renameSync(beside, path);
}

/** Taken where nothing is known of a tier, in seconds. */
const GUESS: Readonly<Record<Tier, number>> = { quick: 8, slow: 60, real: 600 };

/** Returns what a unit of unknown time is taken to cost, in seconds: the middle of the known ones of its tier. */
export function usualSeconds(tier: Tier, seconds: Readonly<Record<string, number>>): number {
  const known = Object.entries(seconds).filter(([name]) => tierOf(unitNamed(name).file) === tier);
  const sorted = known.map(([, value]) => value).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? GUESS[tier];
}
