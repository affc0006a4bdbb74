/** The row of the high-water mark, in its own file: all SQL about it. */
import type { Reader, Writer } from "@svc/host/store";

/** How far a witness has signed. */
export interface SignedPoint {
  /** The number of cosignatures. */
  readonly signedNo: number;
  /** The hash over all of them, 64 lowercase hex characters. */
  readonly signedHead: string;
}

/** The mark of one witness. */
export interface Mark extends SignedPoint {
  readonly vkey: string;
}

/** Makes the table and its row. */
export async function createMark(writer: Writer, { vkey, signedNo, signedHead }: Mark): Promise<void> {
  await writer.script(
    "CREATE TABLE mark (vkey TEXT PRIMARY KEY, signed_no BIGINT NOT NULL, signed_head TEXT NOT NULL)",
  );
  await writer.run("INSERT INTO mark (vkey, signed_no, signed_head) VALUES ($1, $2, $3)", vkey, signedNo, signedHead);
}

/** Resolves to the mark; null if the file holds none. */
export async function readMark(reader: Reader): Promise<Mark | null> {
  if (!(await reader.tables()).includes("mark")) return null;
  const sql = "SELECT vkey, signed_no, signed_head FROM mark";
  const row = await reader.first<{ vkey: string; signed_no: number; signed_head: string }>(sql);
  return row && { vkey: row.vkey, signedNo: row.signed_no, signedHead: row.signed_head };
}

/** Writes the mark as it is: a file that cannot be written is noticed before anything is signed. */
export async function rewriteMark(writer: Writer): Promise<void> {
  // SQLite writes nothing for a value that stays.
  for (const sign of ["+", "-"]) await writer.run(`UPDATE mark SET signed_no = signed_no ${sign} 1`);
}

/** Raises the mark; a lower one changes nothing. */
export async function raiseMark(writer: Writer, { signedNo, signedHead }: SignedPoint): Promise<void> {
  await writer.run("UPDATE mark SET signed_no = $1, signed_head = $2 WHERE signed_no < $1", signedNo, signedHead);
}
