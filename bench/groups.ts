/** The work that all benches have in common: their groups by turns, a folder, and the end of what they started. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Lifetime } from "@svc/testkit/lifetime";
import type { Row } from "./measure.ts";

/** The groups of a bench, by names under which each can be measured alone. */
export type Groups<Bench> = Readonly<Record<string, (bench: Bench) => Promise<Row[]>>>;

/** Measures the groups of these names, one after the other; all if none is named. Rejects with WrongAnswer. */
export async function measureGroups<Bench>(
  groups: Groups<Bench>,
  names: readonly string[],
  bench: Bench,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, group] of Object.entries(groups)) {
    if (names.length > 0 && !names.includes(name)) continue;
    if (process.stderr.isTTY) console.error(`measuring ${name} ...`);
    rows.push(...(await group(bench)));
  }
  return rows;
}

/** Does a work with its own folder. Afterwards what it has started ends, the last first, and the folder goes. */
export async function inFolder<Result>(work: (folder: string, lifetime: Lifetime) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "svc-bench-"));
  const ends: (() => unknown)[] = [];
  const lifetime = { after: (end: unknown) => void ends.push(end as () => unknown) };
  try {
    return await work(folder, lifetime);
  } finally {
    // An end can add another one, for behind all others.
    while (ends.length > 0) for (const end of ends.splice(0).toReversed()) await end();
    rmSync(folder, { recursive: true });
  }
}
