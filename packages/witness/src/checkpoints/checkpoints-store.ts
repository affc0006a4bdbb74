/** The rows of cosigned and refused checkpoints, and how far the witness has signed: all SQL about them. */
import { expectMoved, type Reader, type Writer } from "@svc/host/store";
import type { SignedPoint } from "../keys/mark-store.ts";
import { MAX_REFUSED_NOTES, MAX_SIGNED_NOTES } from "../limits.ts";
import type { CosignedTree } from "./judge.ts";

/** The tree of an origin that was cosigned last. */
export interface LatestTree extends CosignedTree {
  /** The whole note, with the cosignature. */
  readonly note: string;
  /** Unix seconds. */
  readonly cosignedAt: number;
}

interface LatestRow {
  readonly tree_size: number;
  readonly root_hash: string;
  readonly signed_note: string;
  readonly cosigned_at: number;
}

/** Resolves to the tree of an origin; null if none was cosigned. */
export async function latestOf(reader: Reader, origin: string): Promise<LatestTree | null> {
  const sql = "SELECT tree_size, root_hash, signed_note, cosigned_at FROM latest WHERE origin = $1";
  const row = await reader.first<LatestRow>(sql, origin);
  return (
    row && {
      treeSize: row.tree_size,
      rootHash: row.root_hash,
      note: row.signed_note,
      cosignedAt: row.cosigned_at,
    }
  );
}

/**
 * Resolves to the tree of the newest note of an origin that was cosigned, or null. It is the tree of `latestOf`, unless
 * the database was changed.
 */
export async function lastSignedTree(reader: Reader, origin: string): Promise<CosignedTree | null> {
  const sql = `SELECT tree_size, root_hash FROM notes WHERE origin = $1 AND signed_no IS NOT NULL
               ORDER BY signed_no DESC LIMIT 1`;
  const row = await reader.first<Pick<LatestRow, "tree_size" | "root_hash">>(sql, origin);
  return row && { treeSize: row.tree_size, rootHash: row.root_hash };
}

/** The last tree of an origin as it is stored, beside the one that was signed last. */
export interface RememberedRow extends LatestRow {
  readonly origin: string;
  readonly origin_hash: string;
  /** Null if no signed note of the origin is kept. */
  readonly last_size: number | null;
  readonly last_root: string | null;
}

/** Resolves to the last trees of the origins behind one, in order, so many at most. */
export function remembered(reader: Reader, after: string, most: number): Promise<RememberedRow[]> {
  return reader.all<RememberedRow>(
    `SELECT l.*, n.tree_size AS last_size, n.root_hash AS last_root FROM latest l
     LEFT JOIN notes n ON n.signed_no = (SELECT MAX(signed_no) FROM notes WHERE origin = l.origin AND signed_no IS NOT NULL)
     WHERE l.origin > $1 ORDER BY l.origin LIMIT $2`,
    after,
    most,
  );
}

/** Resolves to an origin of which a cosigned note is kept and no last tree, or null. */
export async function forgottenOrigin(reader: Reader): Promise<string | null> {
  const sql = `SELECT origin FROM notes WHERE signed_no IS NOT NULL
               AND NOT EXISTS (SELECT 1 FROM latest WHERE latest.origin = notes.origin) LIMIT 1`;
  return (await reader.first<{ origin: string }>(sql))?.origin ?? null;
}

/** Resolves to the last cosigned note of the origin with this hash, or null. */
export async function noteByOriginHash(reader: Reader, originHash: string): Promise<string | null> {
  const sql = "SELECT signed_note FROM latest WHERE origin_hash = $1";
  return (await reader.first<{ signed_note: string }>(sql, originHash))?.signed_note ?? null;
}

/** The witness, and how far it has signed. */
export interface WitnessRow {
  readonly vkey: string;
  readonly signed_no: number;
  readonly signed_head: string;
  /** The sum over the last trees, and the seal on this row; null before the first start under this release. */
  readonly tree_sum: string | null;
  readonly seal: string | null;
}

/** A row whose last trees are bound. */
export interface SealedRow extends WitnessRow {
  readonly tree_sum: string;
  readonly seal: string;
}

/** Stores the witness of a new database. */
export async function insertWitness(writer: Writer, row: WitnessRow): Promise<void> {
  const sql = `INSERT INTO witness (only_one, vkey, signed_no, signed_head, tree_sum, seal)
    VALUES (1, $1, $2, $3, $4, $5)`;
  await writer.run(sql, row.vkey, row.signed_no, row.signed_head, row.tree_sum, row.seal);
}

/** Binds the last trees of a database that an earlier release has written. */
export async function bindTrees(writer: Writer, treeSum: string, seal: string): Promise<void> {
  const sql = "UPDATE witness SET tree_sum = $1, seal = $2 WHERE tree_sum IS NULL";
  expectMoved(await writer.run(sql, treeSum, seal), "the sum of the last trees");
}

/** Returns how far a witness that has started has signed. */
export function pointOf({ signed_no, signed_head, tree_sum }: WitnessRow): SignedPoint {
  return { signedNo: signed_no, signedHead: signed_head, treeSum: tree_sum ?? "" };
}

/** Returns whether the last trees of a row are bound. */
export function isSealed(row: WitnessRow): row is SealedRow {
  return row.tree_sum !== null && row.seal !== null;
}

/** Resolves to a number that another one follows when another connection has changed the database. */
export async function versionOf(reader: Reader): Promise<number> {
  return (await reader.first<{ data_version: number }>("PRAGMA data_version"))?.data_version ?? 0;
}

/** Resolves to the last trees of the origins behind one, in order, so many at most. */
export function lastTrees(reader: Reader, after: string, most: number): Promise<LastTreeRow[]> {
  const sql = "SELECT origin, tree_size, root_hash FROM latest WHERE origin > $1 ORDER BY origin LIMIT $2";
  return reader.all<LastTreeRow>(sql, after, most);
}

/** The last tree of an origin. */
export interface LastTreeRow extends Pick<LatestRow, "tree_size" | "root_hash"> {
  readonly origin: string;
}

/** Writes the witness as it is: a database that cannot be written is noticed before anybody asks. */
export async function rewriteWitness(writer: Writer): Promise<void> {
  // SQLite writes nothing for a value that stays.
  for (const sign of ["+", "-"]) await writer.run(`UPDATE witness SET signed_no = signed_no ${sign} 1`);
}

/** Resolves to the witness; null for a database without one. */
export async function readWitness(reader: Reader): Promise<WitnessRow | null> {
  // Doctor reads the database of an earlier release as it is, without the newest columns.
  const row = await reader.first<WitnessRow>("SELECT * FROM witness");
  return row && { ...row, tree_sum: row.tree_sum ?? null, seal: row.seal ?? null };
}

/** Resolves to the hash over the cosignatures up to a number, if a note of it is kept; null otherwise. */
export async function headAt(reader: Reader, signedNo: number): Promise<string | null> {
  const sql = `SELECT signed_head FROM witness WHERE signed_no = $1
               UNION ALL SELECT signed_head FROM notes WHERE signed_no = $1 LIMIT 1`;
  return (await reader.first<{ signed_head: string }>(sql, signedNo))?.signed_head ?? null;
}

/** A cosigned checkpoint to be stored. */
export interface Cosigned extends LatestTree {
  readonly origin: string;
  readonly originHash: string;
  readonly signedNo: number;
  readonly signedHead: string;
  readonly treeSum: string;
  readonly seal: string;
}

/** Stores how far the witness has signed: one step further. Rejects with WriteConflict if that has moved. */
export async function moveWitness(
  writer: Writer,
  { signedNo, signedHead, treeSum, seal }: Pick<Cosigned, "signedNo" | "signedHead" | "treeSum" | "seal">,
): Promise<void> {
  const sql = "UPDATE witness SET signed_no = $1, signed_head = $2, tree_sum = $3, seal = $4 WHERE signed_no = $1 - 1";
  expectMoved(await writer.run(sql, signedNo, signedHead, treeSum, seal), "how far the witness has signed");
}

/**
 * Stores a cosigned checkpoint in place of the tree that was read before; null: in place of none. Rejects with
 * WriteConflict if that has moved.
 */
export async function storeCosigned(writer: Writer, from: CosignedTree | null, to: Cosigned): Promise<void> {
  const { origin, originHash, treeSize, rootHash, note, cosignedAt } = to;
  const { signedNo, signedHead } = to;
  await moveWitness(writer, to);
  const changed =
    from === null
      ? await writer.run(
          `INSERT INTO latest (origin, origin_hash, tree_size, root_hash, signed_note, cosigned_at)
           VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
          origin,
          originHash,
          treeSize,
          rootHash,
          note,
          cosignedAt,
        )
      : await writer.run(
          `UPDATE latest SET tree_size = $2, root_hash = $3, signed_note = $4, cosigned_at = $5
           WHERE origin = $1 AND tree_size = $6 AND root_hash = $7`,
          origin,
          treeSize,
          rootHash,
          note,
          cosignedAt,
          from.treeSize,
          from.rootHash,
        );
  expectMoved(changed, `the tree of ${origin}`);
  await writer.run(
    `INSERT INTO notes (origin, tree_size, root_hash, signed_note, signed_no, signed_head)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (origin, tree_size, root_hash)
     DO UPDATE SET signed_note = excluded.signed_note, signed_no = excluded.signed_no, signed_head = excluded.signed_head`,
    origin,
    treeSize,
    rootHash,
    note,
    signedNo,
    signedHead,
  );
  await writer.run(
    `DELETE FROM notes WHERE origin = $1 AND signed_no <= (SELECT signed_no FROM notes
     WHERE origin = $1 AND signed_no IS NOT NULL ORDER BY signed_no DESC LIMIT 1 OFFSET ${MAX_SIGNED_NOTES})`,
    origin,
  );
}

/** The tree of a note that its log has signed. */
export interface SeenTree extends CosignedTree {
  readonly origin: string;
}

/** A note that its log has signed. */
export interface SeenNote extends SeenTree {
  readonly note: string;
}

/** Resolves to the note of this tree that is kept, cosigned or refused; null for none. */
export async function storedNote(reader: Reader, { origin, treeSize, rootHash }: SeenTree): Promise<string | null> {
  const sql = "SELECT signed_note FROM notes WHERE origin = $1 AND tree_size = $2 AND root_hash = $3";
  return (await reader.first<{ signed_note: string }>(sql, origin, treeSize, rootHash))?.signed_note ?? null;
}

/**
 * Keeps a note that was refused, in place of one of the same tree. Notes above the cosigned size have two rooms. The
 * first to come have one, in which none gives way before the log has come to its size: the log itself can sign any
 * number of others. Those after them have the other: the log comes to the least sizes first, so the largest give way.
 * Anybody can hand in old notes: of those the first to come give way. `cosignedSize`: of the origin's last tree; 0 for
 * none.
 */
export async function keepRefused(
  writer: Writer,
  { origin, treeSize, rootHash, note }: SeenNote,
  cosignedSize: number,
): Promise<void> {
  await writer.run(
    `INSERT INTO notes (origin, tree_size, root_hash, signed_note) VALUES ($1, $2, $3, $4)
     ON CONFLICT (origin, tree_size, root_hash) DO UPDATE SET signed_note = excluded.signed_note`,
    origin,
    treeSize,
    rootHash,
    note,
  );
  const refused = "FROM notes WHERE origin = $1 AND signed_no IS NULL";
  const ahead = `${refused} AND tree_size > $2`;
  const firstAhead = `SELECT note_no ${ahead} ORDER BY note_no LIMIT ${MAX_REFUSED_NOTES}`;
  const [inRoom, firstToStay] =
    treeSize > cosignedSize
      ? [`${ahead} AND note_no NOT IN (${firstAhead})`, "tree_size, note_no"]
      : [`${refused} AND tree_size <= $2`, "note_no DESC"];
  await writer.run(
    `DELETE FROM notes WHERE note_no IN
     (SELECT note_no ${inRoom} ORDER BY ${firstToStay} LIMIT -1 OFFSET ${MAX_REFUSED_NOTES})`,
    origin,
    cosignedSize,
  );
}

/** Resolves to the kept notes of the same size with another root, cosigned ones first. */
export async function contradicted(reader: Reader, { origin, treeSize, rootHash }: SeenTree): Promise<SeenNote[]> {
  const rows = await reader.all<Pick<LatestRow, "root_hash" | "signed_note">>(
    `SELECT root_hash, signed_note FROM notes WHERE origin = $1 AND tree_size = $2 AND root_hash <> $3
     ORDER BY signed_no IS NULL, note_no`,
    origin,
    treeSize,
    rootHash,
  );
  return rows.map((row) => ({ origin, treeSize, rootHash: row.root_hash, note: row.signed_note }));
}

/** Resolves to "ok" if the structure of the database's file is whole, or to its first fault. */
export async function quickCheck(reader: Reader): Promise<string> {
  const row = await reader.first<{ quick_check: string }>("PRAGMA quick_check(1)");
  return row?.quick_check ?? "no answer";
}
