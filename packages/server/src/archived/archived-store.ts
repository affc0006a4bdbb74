/** The facts about archive files that reading and erasing need: all SQL about them. */
import type { Reader, Writer } from "@svc/host/store";
import { PLACE_CHARACTERS, placeAt } from "./places.ts";

/** A file, and the places of some of its payloads. */
export interface FileOfRange {
  /** The event of the first place. */
  readonly from_seq_no: number;
  readonly to_seq_no: number;
  readonly file: string;
  readonly places: string;
}

/** Resolves to the files that hold payloads of a range of a stream, in order, with the places of the range alone. */
export function filesOfRange(
  reader: Reader,
  streamId: string,
  fromSeqNo: number,
  toSeqNo: number,
): Promise<FileOfRange[]> {
  const from = "CASE WHEN from_seq_no < $2 THEN $2 ELSE from_seq_no END";
  return reader.all<FileOfRange>(
    `SELECT ${from} AS from_seq_no, to_seq_no, file,
       SUBSTR(places, CAST(1 + ${PLACE_CHARACTERS} * (${from} - from_seq_no) AS INTEGER), CAST($4 AS INTEGER)) AS places
     FROM archives WHERE stream_id = $1 AND to_seq_no >= $2 AND from_seq_no <= $3 AND file IS NOT NULL ORDER BY to_seq_no`,
    streamId,
    fromSeqNo,
    toSeqNo,
    PLACE_CHARACTERS * (toSeqNo - fromSeqNo + 1),
  );
}

/** Resolves to the names of the files that hold payloads of a range of a stream, in order. */
export async function fileNamesOfRange(
  reader: Reader,
  streamId: string,
  fromSeqNo: number,
  toSeqNo: number,
): Promise<string[]> {
  const rows = await reader.all<Pick<FileOfRange, "file">>(
    `SELECT file FROM archives WHERE stream_id = $1 AND to_seq_no >= $2 AND from_seq_no <= $3 AND file IS NOT NULL
     ORDER BY to_seq_no`,
    streamId,
    fromSeqNo,
    toSeqNo,
  );
  return rows.map(({ file }) => file);
}

/** Resolves to those events of a list whose payload is erased by now. */
export async function erasedAmong(
  reader: Reader,
  streamId: string,
  seqNos: readonly number[],
): Promise<ReadonlySet<number>> {
  const erased = new Set<number>();
  const sql = "SELECT seq_no FROM events WHERE stream_id = $1 AND seq_no = $2 AND payload_salt IS NULL";
  for (const seqNo of seqNos) if ((await reader.first(sql, streamId, seqNo)) !== null) erased.add(seqNo);
  return erased;
}

/** Notes that the file of an event still holds its erased payload; does nothing for an event without a file. */
export async function noteErased(writer: Writer, streamId: string, seqNo: number): Promise<void> {
  await writer.run(
    `UPDATE archives SET erased_since = erased_since + 1
     WHERE stream_id = $1 AND to_seq_no >= $2 AND from_seq_no <= $2 AND file IS NOT NULL`,
    streamId,
    seqNo,
  );
}

/** Resolves to the bytes of each payload of a range that is in a file and no longer in the database, by its number. */
export async function archivedSizes(
  reader: Reader,
  streamId: string,
  fromSeqNo: number,
  toSeqNo: number,
): Promise<ReadonlyMap<number, number>> {
  const rows = await reader.all<FileOfRange & { readonly first_seq_no: number }>(
    `SELECT from_seq_no AS first_seq_no, freed_to_seq_no AS to_seq_no, places FROM archives
     WHERE stream_id = $1 AND to_seq_no >= $2 AND from_seq_no <= $3 AND file IS NOT NULL ORDER BY to_seq_no`,
    streamId,
    fromSeqNo,
    toSeqNo,
  );
  const sizes = new Map<number, number>();
  for (const { first_seq_no, to_seq_no, places } of rows)
    for (let seqNo = Math.max(first_seq_no, fromSeqNo); seqNo <= Math.min(to_seq_no, toSeqNo); seqNo++)
      sizes.set(seqNo, placeAt(places, seqNo - first_seq_no)?.length ?? 0);
  return sizes;
}
