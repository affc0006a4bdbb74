/** The tests of each tier, and in which form each file runs; the names of files and their folders decide. */
import { globSync } from "node:fs";

/**
 * `quick`: the README's command, which finishes in minutes. `slow`: what takes longer. `real`: foreign programs that
 * take long to build or start, long chaos, compilers, fuzzers, whole matrices.
 */
export const TIERS = ["quick", "slow", "real"] as const;
export type Tier = (typeof TIERS)[number];

/**
 * How a file runs: as it stands; on PostgreSQL, where it stands on a database; or with each of its properties in full,
 * of which the quick tier tries a tenth.
 */
export type Form = "plain" | "postgres" | "full";

/** A test file in one form. */
export interface Unit {
  /** The path from the root of the repository. */
  readonly file: string;
  readonly form: Form;
}

/** The places of tests, from the root of the repository. */
export const PLACES = [
  "packages/*/test/**/*.test.ts",
  "tools/*/test/**/*.test.ts",
  "{bench,demo}/test/**/*.test.ts",
  "conformance/**/test/**/*.test.ts",
  "sdks/*/test/**/*.test.ts",
];
/** The tests of what stands on a database. */
const ON_DATABASE = /^packages\/(?:host|server)\//;

const SLOW = /\.slow\.test\.ts$/;
const REAL = /\.real\.slow\.test\.ts$/;
/** Slow files that run on PostgreSQL too. */
const STORES = /\.stores\.slow\.test\.ts$/;
const PROPERTIES = /\.(?:prop|diff)\.test\.ts$/;

/** Returns the tier of a file. */
export function tierOf(file: string): Tier {
  if (REAL.test(file)) return "real";
  return SLOW.test(file) ? "slow" : "quick";
}

/** Returns all test files, in the order of their names. */
export function testFiles(root: string): string[] {
  return globSync([...PLACES], { cwd: root })
    .filter((file) => !file.includes("node_modules"))
    .sort();
}

/**
 * Returns what a tier runs, each unit once. The slow one also has the quick files of what stands on a database on
 * PostgreSQL, slow ones that say so in their name, and properties in full.
 */
export function unitsOf(tier: Tier, root: string): Unit[] {
  return testFiles(root).flatMap((file) => {
    const own = tierOf(file);
    const forms: Form[] = own === tier ? ["plain"] : [];
    const isQuick = own === "quick";
    if (tier === "slow" && (STORES.test(file) || (isQuick && ON_DATABASE.test(file)))) forms.push("postgres");
    if (tier === "slow" && isQuick && PROPERTIES.test(file)) forms.push("full");
    return forms.map((form) => ({ file, form }));
  });
}

/** Returns the name of a unit, as costs, choices and reports have it. */
export function nameOf({ file, form }: Unit): string {
  return form === "plain" ? file : `${file} (${form})`;
}

/** Returns the unit with a name. */
export function unitNamed(name: string): Unit {
  const [, file = name, form = "plain"] = /^(.*) \((postgres|full)\)$/.exec(name) ?? [];
  return { file, form: form as Form };
}

/** Returns the units in the order in which a run begins them: those of no known time, then the longest first. */
export function longestFirst(units: readonly Unit[], seconds: Readonly<Record<string, number>>): Unit[] {
  const timeOf = (unit: Unit) => seconds[nameOf(unit)] ?? Number.POSITIVE_INFINITY;
  const names = (a: Unit, b: Unit) => (nameOf(a) < nameOf(b) ? -1 : 1);
  // The difference of two unknown times is no number.
  return units.toSorted((a, b) => (timeOf(a) === timeOf(b) ? names(a, b) : timeOf(b) - timeOf(a)));
}
