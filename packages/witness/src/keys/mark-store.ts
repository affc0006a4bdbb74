/** The row of the high-water mark, in its own file: all SQL about it. */
import type { Reader, Writer } from "@svc/host/store";

/** How far a witness has signed. */
export interface SignedPoint {
  /** The number of cosignatures. */
  readonly signedNo: number;
  /** The hash over all of them, 64 lowercase hex characters. */
  readonly signedHead: string;
  /** The sum over the last trees of all origins, 64 lowercase hex characters. */
  readonly treeSum: string;
}

/** The mark of one witness. */
export interface Mark extends Omit<SignedPoint, "treeSum"> {
  readonly vkey: string;
  /** Null for a mark of an earlier release, which binds no trees. */
  readonly treeSum: string | null;
}

/** Makes the table and its row. */
export async function createMark(writer: Writer, { vkey, signedNo, signedHead, treeSum }: Mark): Promise<void> {
  await writer.script(
    "CREATE TABLE mark (vkey TEXT PRIMARY KEY, signed_no BIGINT NOT NULL, signed_head TEXT NOT NULL, tree_sum TEXT)",
  );
  const sql = "INSERT INTO mark (vkey, signed_no, signed_head, tree_sum) VALUES ($1, $2, $3, $4)";
  await writer.run(sql, vkey, signedNo, signedHead, treeSum);
}

/** Resolves to the mark; null if the file holds none. */
export async function readMark(reader: Reader): Promise<Mark | null> {
  if (!(await reader.tables()).includes("mark")) return null;
  // A mark of an earlier release has no sum.
  const row = await reader.first<MarkRow>("SELECT * FROM mark");
  return row && { vkey: row.vkey, signedNo: row.signed_no, signedHead: row.signed_head, treeSum: row.tree_sum ?? null };
}

interface MarkRow {
  readonly vkey: string;
  readonly signed_no: number;
  readonly signed_head: string;
  readonly tree_sum?: string | null;
}

/** Gives a mark of an earlier release room for the sum. */
export async function completeMark(writer: Writer): Promise<void> {
  const columns = await writer.all<{ name: string }>("SELECT name FROM pragma_table_info('mark')");
  if (columns.every(({ name }) => name !== "tree_sum"))
    await writer.script("ALTER TABLE mark ADD COLUMN tree_sum TEXT");
}

/** Writes the mark as it is: a file that cannot be written is noticed before anything is signed. */
export async function rewriteMark(writer: Writer): Promise<void> {
  // SQLite writes nothing for a value that stays.
  for (const sign of ["+", "-"]) await writer.run(`UPDATE mark SET signed_no = signed_no ${sign} 1`);
}

/** Raises the mark; a lower one changes nothing. */
export async function raiseMark(writer: Writer, { signedNo, signedHead, treeSum }: SignedPoint): Promise<void> {
  const sql = `UPDATE mark SET signed_no = $1, signed_head = $2, tree_sum = $3
    WHERE signed_no < $1 OR (signed_no = $1 AND tree_sum IS NULL)`;
  await writer.run(sql, signedNo, signedHead, treeSum);
}
