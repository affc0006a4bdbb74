/** Reads of whole tables, by the plans of SQLite. */
import type { DatabaseSync } from "node:sqlite";
import { GROWING } from "@svc/testkit/server/table-keys";

/**
 * Returns the growing tables that a statement reads from end to end. An index of what is still to be done is short, and
 * one that is read in its order ends at the limit.
 */
export function wholeReads(database: DatabaseSync, sql: string): string[] {
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql.replace(/\$(\d+)/g, "?$1")}`).all() as { detail: string }[];
  const isSorted = steps.some(({ detail }) => /USE TEMP B-TREE/.test(detail));
  return steps.flatMap(({ detail }) => {
    const [, name, index] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(detail) ?? [];
    const table = name === undefined ? null : tableOf(sql, name);
    if (table === null || !GROWING.has(table)) return [];
    const isPartial = index !== undefined && isPartialIndex(database, index);
    const endsEarly = index !== undefined && !isSorted && /\bLIMIT\b/.test(sql) && !/\b(?:COUNT|SUM|MAX)\(/.test(sql);
    return isPartial || endsEarly ? [] : [table];
  });
}

/** Returns the table of a name in a statement, which can be another one's for it. */
function tableOf(sql: string, name: string): string {
  return new RegExp(`\\b(?:FROM|JOIN|UPDATE|,) *(\\w+)(?: AS)? ${name}\\b`).exec(sql)?.[1] ?? name;
}

function isPartialIndex(database: DatabaseSync, index: string): boolean {
  const row = database.prepare("SELECT sql FROM sqlite_master WHERE name = ?").get(index) as { sql: string | null };
  return /\bWHERE\b/.test(row.sql ?? "");
}
