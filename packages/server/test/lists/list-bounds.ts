/** What a page of a list may look at, and by which plans. */
import assert from "node:assert/strict";
import { MAX_EXAMINED_ROWS, MAX_PAGE_ITEMS } from "@svc/api/limits";
import type { Looked } from "./counting-database.ts";

/**
 * What one page may look at: as many rows as the bound says, and as many entries in the index of each filter, to see how far it leads; in that by
 * time a stretch of numbers more, which it counts as a whole.
 */
export function most(names: readonly string[]): number {
  const isByTime = names.some((name) => name.startsWith("occurred"));
  return (1 + names.length) * MAX_EXAMINED_ROWS + (isByTime ? 4096 : 0) + MAX_PAGE_ITEMS;
}

const TABLES = ["events", "streams", "exports", "export_ranges", "access_log", "windows", "checkpoints", "forks"];

/** The indexes of the plans; none of them may read a table, or an index, from its beginning. */
export function indexesOf({ plans }: Looked): string[] {
  const used = plans.flatMap(({ sql, plain, viewed }) => {
    // Along the order of a list SQLite goes by the index of that; from its beginning only where a statement says how many rows it wants.
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
