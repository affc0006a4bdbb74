/** The rows of fork evidence: all SQL about them. A row goes only with a key that is disowned and on which it rests. */
import type { Reader, Writer } from "@svc/host/store";

/** Fork evidence in a list. */
export interface ForkRow {
  readonly fork_id: string;
  readonly origin: string;
  readonly tree_size: number;
  readonly detected_at: string;
  /** 1 if one key has signed both histories; 2 if that is a key of the log for each. */
  readonly key_count: number;
}

/** New evidence, and the two roots that it is about. */
export interface NewFork extends ForkRow {
  readonly left_root: string;
  readonly right_root: string;
  /** The evidence as canonical JSON. */
  readonly evidence: string;
}

/** The contradiction of two notes, by the keys that it needs. */
export type ForkOf = Pick<NewFork, "origin" | "tree_size" | "left_root" | "right_root" | "key_count">;

/** Resolves to the number of forks of an origin by as many keys, and whether this pair of roots is among them. */
export async function knownForks(
  reader: Reader,
  { origin, tree_size, left_root, right_root, key_count }: ForkOf,
): Promise<{ count: number; isKnown: boolean }> {
  const row = await reader.first<{ count: number; known: number | null }>(
    `SELECT COUNT(*) AS count, SUM(CASE WHEN tree_size = $2 AND ((left_root = $3 AND right_root = $4)
       OR (left_root = $4 AND right_root = $3)) THEN 1 ELSE 0 END) AS known FROM forks
     WHERE origin = $1 AND key_count = $5`,
    origin,
    tree_size,
    left_root,
    right_root,
    key_count,
  );
  return { count: row?.count ?? 0, isKnown: (row?.known ?? 0) > 0 };
}

/** Stores evidence. */
export async function insertFork(writer: Writer, fork: NewFork): Promise<void> {
  await writer.insert(
    {
      table: "forks",
      columns: ["fork_id", "origin", "tree_size", "left_root", "right_root", "detected_at", "evidence", "key_count"],
    },
    [
      [
        fork.fork_id,
        fork.origin,
        fork.tree_size,
        fork.left_root,
        fork.right_root,
        fork.detected_at,
        fork.evidence,
        fork.key_count,
      ],
    ],
  );
}

/** Resolves to the newest forks, the newest first. */
export function listForks(reader: Reader, most: number): Promise<ForkRow[]> {
  const sql = "SELECT fork_id, origin, tree_size, detected_at, key_count FROM forks ORDER BY fork_id DESC LIMIT $1";
  return reader.all<ForkRow>(sql, most);
}

/** Resolves to the evidence of a fork, or null. */
export async function evidenceOf(reader: Reader, forkId: string): Promise<string | null> {
  const row = await reader.first<{ evidence: string }>("SELECT evidence FROM forks WHERE fork_id = $1", forkId);
  return row?.evidence ?? null;
}

/** Resolves to the ids of the forks of an origin. */
export async function forkIdsOf(reader: Reader, origin: string): Promise<string[]> {
  const rows = await reader.all<{ fork_id: string }>("SELECT fork_id FROM forks WHERE origin = $1", origin);
  return rows.map((row) => row.fork_id);
}

/** Removes a fork. */
export async function removeFork(writer: Writer, forkId: string): Promise<void> {
  await writer.run("DELETE FROM forks WHERE fork_id = $1", forkId);
}

/** Resolves to the ids of all forks. */
export async function forkIds(reader: Reader): Promise<string[]> {
  return (await reader.all<{ fork_id: string }>("SELECT fork_id FROM forks ORDER BY fork_id")).map(
    (row) => row.fork_id,
  );
}

/** Resolves to the number of forks. */
export async function countForks(reader: Reader): Promise<number> {
  return (await reader.first<{ count: number }>("SELECT COUNT(*) AS count FROM forks"))?.count ?? 0;
}
