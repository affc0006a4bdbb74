/** Keeps the end of each fault as a line of JSON, as soon as it is known: a run that was cut off can be taken up. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Tier } from "../plan.ts";

/** The file that noticed a fault. */
export interface Noticed {
  readonly unit: string;
  readonly tier: Tier;
  /** Null where the folders say that the fault's file does not affect it. */
  readonly distance: number | null;
  /** Its first failed test. */
  readonly failure: string;
  /** Why CI runs it for the change: it is quick, or chosen; null if CI does not. */
  readonly why: "quick" | "always" | "affected" | null;
}

/** The end of a fault. */
export interface Line {
  readonly seed: string;
  readonly room: string;
  /** The file and the line, and the change. */
  readonly fault: string;
  readonly kind: string;
  /** Null if no file noticed it. */
  readonly noticed: Noticed | null;
  /** False if it cannot be compiled: it is no fault. */
  readonly compiles: boolean;
  /** The number of files that did not notice it, and of those that had no time. */
  readonly passed: number;
  readonly untried: number;
  readonly seconds: number;
}

/** Returns the lines of a record with a seed. A line that was cut off is ignored. */
export function readRecord(path: string, seed: string): Line[] {
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  return lines
    .flatMap((line): Line[] => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    })
    .filter((line) => line.seed === seed);
}

/** Adds a line to a record. */
export function addLine(path: string, line: Line): void {
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, `${JSON.stringify(line)}\n`);
}
