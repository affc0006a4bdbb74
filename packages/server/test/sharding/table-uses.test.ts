/** The columns that a statement names for each of its tables, form by form. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { tableUses } from "./table-uses.ts";

/** Resolves to the tables, each with a star if the statement names its column `k`, in order. */
async function keyed(sql: string): Promise<string[]> {
  return (await tableUses(sql)).map(({ table, named }) => `${table}${named.has("k") ? "*" : ""}`).sort();
}

const NAMES_KEY: readonly string[] = [
  "SELECT * FROM a WHERE k = $1",
  "SELECT * FROM a WHERE $1 = k",
  "SELECT * FROM a x WHERE x.k = $1 AND (x.b = $2 OR x.b = $3) FOR UPDATE OF x",
  "SELECT * FROM a WHERE b > $1 AND (k = CAST($2 AS TEXT) AND c < $3)",
  "SELECT * FROM a WHERE k IN ($1, $2)",
  "SELECT * FROM a WHERE k = ANY($1)",
  "SELECT * FROM a WHERE (b, k) IN (VALUES (CAST($1 AS TEXT), CAST($2 AS TEXT)))",
  "SELECT * FROM a JOIN (VALUES ($1, $2)) AS v ON v.column1 = a.k",
  "SELECT (SELECT b FROM a WHERE a.k = v.column1) FROM (VALUES ($1), ($2)) AS v",
  "UPDATE a SET b = v.column1 FROM (VALUES ($1, $2)) AS v WHERE a.k = v.column2",
  "DELETE FROM a WHERE k = $1",
  "INSERT INTO a (b, k) VALUES ($1, $2)",
  "INSERT INTO a (k) SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING",
  "SELECT * FROM (SELECT b FROM a WHERE k = $1) inner_one WHERE b > $2",
];

const LACKS_KEY: readonly string[] = [
  "SELECT * FROM a",
  "SELECT * FROM a WHERE k > $1",
  "SELECT * FROM a WHERE k || '' = $1",
  "SELECT * FROM a WHERE k = $1 OR b = $2",
  "SELECT * FROM a WHERE NOT k = $1",
  "SELECT * FROM a WHERE k <> $1",
  "SELECT * FROM a WHERE k = k",
  "SELECT * FROM a WHERE k = lower(b)",
  "SELECT * FROM a WHERE k IN ($1, b)",
  "SELECT * FROM a WHERE k NOT IN ($1, $2)",
  "SELECT * FROM a WHERE k <> ALL($1)",
  "SELECT * FROM a WHERE (b, k) > ($1, $2)",
  "SELECT * FROM a WHERE k NOT IN (VALUES ($1))",
  "SELECT * FROM a WHERE k IN (SELECT $1)",
  "SELECT * FROM a LEFT JOIN (VALUES ($1)) AS v ON a.k = $1",
  "SELECT * FROM a WHERE EXISTS (SELECT 1 WHERE a.k = $1)",
  "SELECT * FROM a, (VALUES ($1)) AS v WHERE k = $1",
  "SELECT b, k = $1 FROM a",
  "UPDATE a SET k = $1",
  "DELETE FROM a WHERE b = $1",
  "INSERT INTO a (b) VALUES ($1)",
  "INSERT INTO a VALUES ($1)",
  "SELECT * FROM (SELECT * FROM a) x WHERE x.k = $1",
];

test("a key is named where every row of the table must have one of the values", async () => {
  for (const sql of NAMES_KEY) assert.deepEqual(await keyed(sql), ["a*"], sql);
  for (const sql of LACKS_KEY) assert.deepEqual(await keyed(sql), ["a"], sql);
});

test("each table of a statement is looked at for itself, and may have its key from another one", async () => {
  for (const [sql, expected] of [
    ["SELECT * FROM a JOIN b ON b.k = a.k WHERE a.k = $1", ["a*", "b*"]],
    ["SELECT * FROM a JOIN b ON b.k = a.k WHERE b.k = $1", ["a*", "b*"]],
    ["SELECT * FROM a JOIN b ON b.i = a.i WHERE a.k = $1", ["a*", "b"]],
    ["SELECT * FROM a CROSS JOIN b WHERE a.k = $1 AND b.k = a.k", ["a*", "b*"]],
    ["SELECT * FROM a LEFT JOIN b ON b.k = a.k WHERE a.k = $1", ["a*", "b*"]],
    ["SELECT * FROM a LEFT JOIN b ON b.k = $1 AND a.k = b.k", ["a", "b*"]],
    ["SELECT * FROM a WHERE k = $1 AND (SELECT COUNT(*) FROM b WHERE b.i = a.i) > 1", ["a*", "b"]],
    ["SELECT * FROM a WHERE k = $1 AND (SELECT COUNT(*) FROM b WHERE b.k = a.k) > 1", ["a*", "b*"]],
    ["SELECT (SELECT MAX(i) FROM b) FROM a WHERE k = $1", ["a*", "b"]],
    ["SELECT 1 FROM a WHERE k = $1 UNION ALL SELECT 1 FROM b", ["a*", "b"]],
    ["WITH w AS (SELECT * FROM a WHERE k = $1) SELECT * FROM w JOIN b ON b.k = w.k", ["a*", "b"]],
    ["WITH RECURSIVE w (i) AS (SELECT 1 UNION ALL SELECT i FROM w JOIN a ON a.k = $1) SELECT * FROM w", ["a*"]],
    ["INSERT INTO a (k) SELECT k FROM b", ["a*", "b"]],
    ["DELETE FROM a WHERE k = $1 AND i IN (SELECT i FROM a WHERE k > $2)", ["a", "a*"]],
    ["SELECT 1; SELECT * FROM a", ["a"]],
  ] as const)
    assert.deepEqual(await keyed(sql), expected, sql);
});

test("a statement of a form that is not known is refused", async () => {
  for (const sql of [
    "LOCK TABLE a IN EXCLUSIVE MODE",
    "TRUNCATE a",
    "MERGE INTO a USING b ON a.k = b.k WHEN MATCHED THEN DELETE",
    "COPY a FROM STDIN",
  ])
    await assert.rejects(tableUses(sql), /not every table is in a form that is known here/, sql);
  await assert.rejects(tableUses("SELECT * FROM"), /syntax error/);
  await assert.rejects(tableUses("SELECT * FROM a, a"), /two members of FROM are named a/);
});
