/**
 * The record of a whole run of one commit: a line of JSON for each time that a unit ended. It outlives a run that was
 * cut off, so that the next one goes on from it, and no failure is forgotten between the two.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { nameOf, type Unit, unitNamed } from "./plan.ts";
import type { Ended } from "./runner.ts";
import type { Failed } from "./verdict.ts";

/** A line of the record: how a unit ended. */
export interface Recorded {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  /** Its first failure; null without one. */
  readonly failure: string | null;
}

/** Adds a line. */
export function addEnded(path: string, { unit, passed, seconds, failure }: Ended): void {
  const line = JSON.stringify({ name: nameOf(unit), passed, seconds, failure } satisfies Recorded);
  // A line that was cut off has no end, and the next one must not be joined to it.
  const text = textOf(path);
  appendFileSync(path, `${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`);
}

/** Returns the lines of a record in their order; none where there is no file. A line that was cut off is ignored. */
export function readRecord(path: string): Recorded[] {
  return textOf(path)
    .split("\n")
    .flatMap((line): Recorded[] => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}

/** Returns the last result of each unit, by name. */
export function lastOf(record: readonly Recorded[]): Map<string, Recorded> {
  return new Map(record.map((one) => [one.name, one]));
}

/** Returns the units that have not passed yet. */
export function unitsLeft(units: readonly Unit[], record: readonly Recorded[]): Unit[] {
  const last = lastOf(record);
  return units.filter((unit) => last.get(nameOf(unit))?.passed !== true);
}

/** Returns the first failure of each unit that has failed: one that passed later, or that runs again. */
export function failedBefore(record: readonly Recorded[]): Failed[] {
  const first = new Map(
    record
      .filter(({ passed }) => !passed)
      .map((one) => [one.name, one] as const)
      .reverse(),
  );
  return [...first.values()].map(({ name, failure }) => ({ unit: unitNamed(name), failure, passedAlone: true }));
}

/** Returns the seconds of each unit when all of them have passed, for costs.json; null before. */
export function secondsOfAll(units: readonly Unit[], record: readonly Recorded[]): Record<string, number> | null {
  if (unitsLeft(units, record).length > 0) return null;
  const last = lastOf(record);
  const names = new Set(units.map(nameOf));
  const seconds = Object.fromEntries(
    [...last].flatMap(([name, one]) => (names.has(name) ? [[name, one.seconds]] : [])),
  );
  // A property in full is what a whole run has of it; the quick tier tries a tenth.
  for (const unit of units) if (unit.form === "full") seconds[unit.file] ??= (seconds[nameOf(unit)] ?? 0) / 10;
  return seconds;
}

/**
 * Returns the names of the units that failed among those that the choice of CI leaves out. One that has passed since is
 * flaky, which no choice could have known.
 */
export function escapesOf(leftOut: readonly Unit[], record: readonly Recorded[]): string[] {
  const last = lastOf(record);
  return leftOut.map(nameOf).filter((name) => last.get(name)?.passed === false);
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
