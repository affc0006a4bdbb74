/** The rows of the witness's memory, in its own file: all SQL about them. */
import type { HashHex } from "@svc/core";
import { expectMoved, type Migration, type Reader, type Writer } from "@svc/host/store";

/** The migrations of the file. A released one is never edited. */
export const MEMORY_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: "signed",
    sql: `
-- The last tree that the witness has signed for each origin. A tree of a history that was lost for good says so.
CREATE TABLE signed (
  origin TEXT PRIMARY KEY,
  -- Counts the signatures: the greatest number is the newest.
  signed_no BIGINT NOT NULL UNIQUE,
  tree_size BIGINT NOT NULL,
  frontier TEXT NOT NULL,
  signed_note TEXT NOT NULL,
  cosigned_at BIGINT NOT NULL,
  given_up_at TEXT
);
CREATE INDEX signed_and_kept ON signed (signed_no) WHERE given_up_at IS NULL;
`,
  },
];

/** The last signed tree of an origin. */
export interface SignedTree {
  readonly treeSize: number;
  readonly frontier: readonly HashHex[];
  /** The whole note with the witness's cosignature. */
  readonly note: string;
  /** Unix seconds. */
  readonly cosignedAt: number;
}

/** A tree that is remembered. */
export interface RememberedTree extends SignedTree {
  readonly origin: string;
  /** When an operator has accepted that its history is lost; null if it is not. */
  readonly givenUpAt: string | null;
}

interface Row {
  readonly origin: string;
  readonly tree_size: number;
  readonly frontier: string;
  readonly signed_note: string;
  readonly cosigned_at: number;
  readonly given_up_at: string | null;
}

const SELECT = "SELECT origin, tree_size, frontier, signed_note, cosigned_at, given_up_at FROM signed";

/** Resolves to the tree of an origin; null if the witness remembers none. */
export async function treeOf(reader: Reader, origin: string): Promise<RememberedTree | null> {
  return remembered(await reader.first<Row>(`${SELECT} WHERE origin = $1`, origin));
}

/** Resolves to the tree that was signed last of all that are not given up, but for one, or to null. */
export async function newestTree(reader: Reader, exceptOrigin: string): Promise<RememberedTree | null> {
  const sql = `${SELECT} WHERE given_up_at IS NULL AND origin <> $1 ORDER BY signed_no DESC LIMIT 1`;
  return remembered(await reader.first<Row>(sql, exceptOrigin));
}

/** Resolves to the trees of the origins behind one, in order. */
export async function listTrees(reader: Reader, after: string, most: number): Promise<RememberedTree[]> {
  const rows = await reader.all<Row>(`${SELECT} WHERE origin > $1 ORDER BY origin LIMIT $2`, after, most);
  return rows.map(treeIn);
}

/** Resolves to the number of origins. */
export async function countOrigins(reader: Reader): Promise<number> {
  return (await reader.first<{ origins: number }>("SELECT COUNT(*) AS origins FROM signed"))?.origins ?? 0;
}

/**
 * Stores a tree in place of the one of `fromSize` windows; null: in place of none. Rejects with WriteConflict if
 * another one is remembered.
 */
export async function keepTree(
  writer: Writer,
  origin: string,
  fromSize: number | null,
  { treeSize, frontier, note, cosignedAt }: SignedTree,
): Promise<void> {
  const values = [treeSize, JSON.stringify(frontier), note, cosignedAt] as const;
  const next = "(SELECT COALESCE(MAX(signed_no), 0) + 1 FROM signed)";
  const changed =
    fromSize === null
      ? await writer.run(
          `INSERT INTO signed (origin, signed_no, tree_size, frontier, signed_note, cosigned_at)
           VALUES ($1, ${next}, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
          origin,
          ...values,
        )
      : await writer.run(
          `UPDATE signed SET signed_no = ${next}, tree_size = $2, frontier = $3, signed_note = $4, cosigned_at = $5
           WHERE origin = $1 AND tree_size = $6`,
          origin,
          ...values,
          fromSize,
        );
  expectMoved(changed, `what the witness remembers of ${origin}`);
}

/** Gives all trees up. `now`: a service time. */
export async function giveUpTrees(writer: Writer, now: string): Promise<void> {
  await writer.run("UPDATE signed SET given_up_at = $1 WHERE given_up_at IS NULL", now);
}

function remembered(row: Row | null): RememberedTree | null {
  return row === null ? null : treeIn(row);
}

function treeIn(row: Row): RememberedTree {
  return {
    origin: row.origin,
    treeSize: row.tree_size,
    frontier: JSON.parse(row.frontier) as HashHex[],
    note: row.signed_note,
    cosignedAt: row.cosigned_at,
    givenUpAt: row.given_up_at,
  };
}
