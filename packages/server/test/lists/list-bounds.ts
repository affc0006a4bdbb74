/** The bounds of a page of a list, and its allowed plans. */
import assert from "node:assert/strict";
import { MAX_EXAMINED_ROWS, MAX_PAGE_ITEMS } from "@svc/api/limits";
import type { Looked } from "./counting-database.ts";

/**
 * Returns the most rows that one page may look at: the bound, the same in the index of each filter, to see how far it
 * leads, and a further stretch of numbers in the index by time, which counts it as a whole.
 */
export function most(names: readonly string[]): number {
  const isByTime = names.some((name) => name.startsWith("occurred"));
  return (1 + names.length) * MAX_EXAMINED_ROWS + (isByTime ? 4096 : 0) + MAX_PAGE_ITEMS;
}

const TABLES = ["events", "streams", "exports", "export_ranges", "access_log", "windows", "checkpoints", "forks"];

/** Returns the indexes of the plans; none of them may read a table, or an index, from its beginning. */
export function indexesOf({ plans }: Looked): string[] {
  const used = plans.flatMap(({ sql, plain, viewed }) => {
    // SQLite uses the index in the order of a list; from its beginning only if a statement limits its rows.
    for (const step of plain)
      assert.doesNotMatch(
        step,
        new RegExp(`^SCAN (?:e|r|s|${TABLES.join("|")})\\b(?! USING (?:COVERING )?INDEX access_log_by_time)`),
        `${sql}\n${plain.join("\n")}`,
      );
    const indexes = (steps: readonly string[]) =>
      steps.flatMap((step) => /USING (?:COVERING )?INDEX (\w+)/.exec(step)?.[1] ?? []);
    assert.deepEqual(indexes(viewed), indexes(plain), "what is counted runs as what is not");
    return indexes(plain);
  });
  return [...new Set(used)].sort();
}
