/**
 * The rows that tell whose the cosigned notes were: the keys that signed them, and the trees that were cosigned for a
 * key that was not the log's. `signers` grows with the keys that operators and lists give; `disowned` only by an
 * operator's command, by less than MAX_SIGNED_NOTES rows each.
 */
import type { Reader, Writer } from "@svc/host/store";
import type { SeenTree } from "./checkpoints-store.ts";

/** A key by which cosigned notes of an origin were signed. */
export interface SignerRow {
  /** Empty for notes that were cosigned before the keys were recorded. */
  readonly vkey: string;
  /** 1 if only lists have ever named it; 0 if the operator has. */
  readonly listed: number;
}

/** Records that a cosigned note of an origin was signed by a key. */
export async function recordSigner(writer: Writer, origin: string, vkey: string): Promise<void> {
  const sql = `INSERT INTO signers (origin, vkey, listed)
    SELECT $1, $2, COALESCE((SELECT listed FROM log_keys WHERE origin = $1 AND vkey = $2), 0) WHERE TRUE
    ON CONFLICT (origin, vkey) DO UPDATE SET listed = excluded.listed WHERE excluded.listed < signers.listed`;
  await writer.run(sql, origin, vkey);
}

/** Resolves to all keys by which cosigned notes of an origin were signed. */
export function signersOfOrigin(reader: Reader, origin: string): Promise<SignerRow[]> {
  const sql = `SELECT vkey, MIN(listed) AS listed FROM (
      SELECT vkey, listed FROM signers WHERE origin = $1
      UNION ALL SELECT k.vkey, k.listed FROM log_keys k JOIN signers s ON s.origin = k.origin AND s.vkey = k.vkey
      WHERE k.origin = $1) GROUP BY vkey ORDER BY vkey`;
  return reader.all<SignerRow>(sql, origin);
}

/** Resolves to whether another root of the size of a tree was cosigned, for a key that was not the log's. */
export async function isBarred(reader: Reader, { origin, treeSize, rootHash }: SeenTree): Promise<boolean> {
  const sql = "SELECT 1 AS one FROM disowned WHERE origin = $1 AND tree_size = $2 AND root_hash <> $3";
  return (await reader.first<{ one: number }>(sql, origin, treeSize, rootHash)) !== null;
}

/** A kept note of an origin. */
export interface StoredRow {
  readonly note_no: number;
  readonly signed_note: string;
  /** Null for a note that was refused. */
  readonly signed_no: number | null;
}

/** Resolves to all kept notes of an origin. */
export function storedOf(reader: Reader, origin: string): Promise<StoredRow[]> {
  return reader.all<StoredRow>("SELECT note_no, signed_note, signed_no FROM notes WHERE origin = $1", origin);
}

/** Resolves to all trees that were disowned. An operator's command has made each: they are few. */
export async function disownedTrees(reader: Reader): Promise<SeenTree[]> {
  const rows = await reader.all<TreeRow>("SELECT origin, tree_size, root_hash FROM disowned");
  return rows.map(treeOf);
}

/** Resolves to the cosigned trees of an origin that are not among the disowned ones yet. */
export async function treesToDisown(reader: Reader, origin: string): Promise<SeenTree[]> {
  const sql = `SELECT DISTINCT n.origin, n.tree_size, n.root_hash FROM notes n
    WHERE n.origin = $1 AND n.signed_no IS NOT NULL AND NOT EXISTS (SELECT 1 FROM disowned d
      WHERE d.origin = n.origin AND d.tree_size = n.tree_size AND d.root_hash = n.root_hash)`;
  return (await reader.all<TreeRow>(sql, origin)).map(treeOf);
}

interface TreeRow {
  readonly origin: string;
  readonly tree_size: number;
  readonly root_hash: string;
}

function treeOf({ origin, tree_size, root_hash }: TreeRow): SeenTree {
  return { origin, treeSize: tree_size, rootHash: root_hash };
}

/** Moves the cosigned trees of an origin to the disowned ones, with the keys of their notes and its last tree. */
export async function moveToDisowned(writer: Writer, origin: string): Promise<void> {
  const cosigned = "FROM notes WHERE origin = $1 AND signed_no IS NOT NULL";
  await writer.run(
    `INSERT INTO disowned (origin, tree_size, root_hash, signed_note)
     SELECT origin, tree_size, root_hash, signed_note ${cosigned} ON CONFLICT DO NOTHING`,
    origin,
  );
  await writer.run(`DELETE ${cosigned}`, origin);
  for (const table of ["latest", "signers"]) await writer.run(`DELETE FROM ${table} WHERE origin = $1`, origin);
}

/** Forgets a kept note. */
export async function forgetNote(writer: Writer, noteNo: number): Promise<void> {
  await writer.run("DELETE FROM notes WHERE note_no = $1", noteNo);
}
