/** Archive files, their ranges, and the events whose payloads they take: all SQL of the job. */
import { expectMoved, type Reader, type Writer } from "@svc/host/store";

/** A range of a stream and its file. */
export interface ArchiveRow {
  readonly stream_id: string;
  readonly from_seq_no: number;
  readonly to_seq_no: number;
  /** Null for a range that stays in the database. */
  readonly file: string | null;
  readonly sha256: string | null;
  readonly size_bytes: number;
  readonly places: string;
  readonly freed_to_seq_no: number;
  readonly erased_since: number;
  readonly archived_at: string;
}

/** A stream, and how far it is archived. */
export interface ArchivedStream {
  readonly stream_id: string;
  readonly tenant_id: string;
  readonly archived_to: number;
  /** When the first event behind that was received. */
  readonly first_received_at: string;
}

/** A range whose work is not done: its file holds an erased payload, or the database one that the file holds. */
export type UnfinishedRow = Omit<ArchiveRow, "places"> & { readonly tenant_id: string };

const UNFINISHED = "(a.erased_since > 0 OR a.freed_to_seq_no < a.to_seq_no)";
/** Everything but the places, which are long. */
const SHORT =
  "a.stream_id, a.from_seq_no, a.to_seq_no, a.file, a.sha256, a.size_bytes, a.freed_to_seq_no, a.erased_since, " +
  "a.archived_at";

/** Resolves to the first range whose work is not done, or null. */
export function firstUnfinished(reader: Reader): Promise<UnfinishedRow | null> {
  return reader.first<UnfinishedRow>(
    `SELECT ${SHORT}, s.tenant_id FROM archives a JOIN streams s ON s.stream_id = a.stream_id WHERE ${UNFINISHED}
     ORDER BY a.stream_id, a.to_seq_no LIMIT 1`,
  );
}

/** Resolves to the names of files that are to be removed, `most` at most; never to one that a range names. */
export async function leavings(reader: Reader, most: number): Promise<string[]> {
  const rows = await reader.all<{ file: string }>(
    `SELECT l.file FROM archive_leavings l WHERE NOT EXISTS (SELECT 1 FROM archives a WHERE a.file = l.file)
     ORDER BY l.file LIMIT $1`,
    most,
  );
  return rows.map(({ file }) => file);
}

/** Notes that a file is to be removed unless a range names it soon. */
export async function noteLeaving(writer: Writer, file: string): Promise<void> {
  await writer.insert({ table: "archive_leavings", columns: ["file"], skipsRepeated: true }, [[file]]);
}

/** Forgets such a note. */
export async function forgetLeaving(writer: Writer, file: string): Promise<void> {
  await writer.run("DELETE FROM archive_leavings WHERE file = $1", file);
}

/**
 * Resolves to the streams behind an id, in order, among the next `most` of all, whose first event that is not archived
 * was received by a time; and to the id of the last of those `most`, null if there are no more.
 */
export async function streamsWithOld(
  reader: Reader,
  { afterId, most, receivedBy }: { readonly afterId: string; readonly most: number; readonly receivedBy: string },
): Promise<{ readonly old: ArchivedStream[]; readonly lastId: string | null }> {
  const archivedTo = "COALESCE((SELECT MAX(a.to_seq_no) FROM archives a WHERE a.stream_id = s.stream_id), 0)";
  const rows = await reader.all<Omit<ArchivedStream, "first_received_at"> & { first_received_at: string | null }>(
    `SELECT n.stream_id, n.tenant_id, n.archived_to,
       CASE WHEN n.archived_to < n.checkpointed_to_seq_no THEN
         (SELECT e.received_at FROM events e WHERE e.stream_id = n.stream_id AND e.seq_no = n.archived_to + 1)
       END AS first_received_at
     FROM (SELECT s.stream_id, s.tenant_id, s.checkpointed_to_seq_no, ${archivedTo} AS archived_to FROM streams s
       WHERE s.stream_id > $1 ORDER BY s.stream_id LIMIT $2) n
     ORDER BY n.stream_id`,
    afterId,
    most,
  );
  const old = rows.flatMap(({ first_received_at, ...row }) =>
    first_received_at !== null && first_received_at <= receivedBy ? [{ ...row, first_received_at }] : [],
  );
  return { old, lastId: rows.length < most ? null : (rows.at(-1)?.stream_id ?? null) };
}

/** Resolves to the last event of a range that was received by a time; 0 if none was. */
export async function lastReceivedBy(
  reader: Reader,
  streamId: string,
  { from, to }: { readonly from: number; readonly to: number },
  receivedBy: string,
): Promise<number> {
  const row = await reader.first<{ last: number }>(
    `SELECT COALESCE(MAX(seq_no), 0) AS last FROM events
     WHERE stream_id = $1 AND seq_no >= $2 AND seq_no <= $3 AND received_at <= $4`,
    streamId,
    from,
    to,
    receivedBy,
  );
  return row?.last ?? 0;
}

/** Resolves to the number of events of a range whose payload is not erased. */
export async function countPayloads(reader: Reader, streamId: string, from: number, to: number): Promise<number> {
  const row = await reader.first<{ payloads: number }>(
    "SELECT COUNT(payload_salt) AS payloads FROM events WHERE stream_id = $1 AND seq_no >= $2 AND seq_no <= $3",
    streamId,
    from,
    to,
  );
  return row?.payloads ?? 0;
}

/** Inserts a range. Its key keeps two of them from having the same events. */
export async function insertArchive(writer: Writer, row: ArchiveRow): Promise<void> {
  const { from_seq_no, to_seq_no, freed_to_seq_no: freed } = row;
  await addToTotals(
    writer,
    row.file === null
      ? { left: to_seq_no - from_seq_no + 1 }
      : { files: 1, bytes: row.size_bytes, events: freed - from_seq_no + 1 },
  );
  await writer.insert(
    {
      table: "archives",
      columns: [
        "stream_id",
        "from_seq_no",
        "to_seq_no",
        "file",
        "sha256",
        "size_bytes",
        "places",
        "freed_to_seq_no",
        "erased_since",
        "archived_at",
      ],
    },
    [
      [
        row.stream_id,
        row.from_seq_no,
        row.to_seq_no,
        row.file,
        row.sha256,
        row.size_bytes,
        row.places,
        row.freed_to_seq_no,
        row.erased_since,
        row.archived_at,
      ],
    ],
  );
}

/** Gives a range a new file in place of one with erased payloads. Rejects with WriteConflict if it has changed. */
export async function replaceArchive(
  writer: Writer,
  {
    stream_id,
    to_seq_no,
    file,
    size_bytes,
    erased_since,
  }: Pick<UnfinishedRow, "stream_id" | "to_seq_no" | "file" | "size_bytes" | "erased_since">,
  next: Pick<ArchiveRow, "file" | "sha256" | "size_bytes" | "places" | "archived_at">,
): Promise<void> {
  const changed = await writer.run(
    `UPDATE archives SET file = $1, sha256 = $2, size_bytes = $3, places = $4, archived_at = $5, erased_since = 0
     WHERE stream_id = $6 AND to_seq_no = $7 AND file = $8 AND erased_since = $9`,
    next.file,
    next.sha256,
    next.size_bytes,
    next.places,
    next.archived_at,
    stream_id,
    to_seq_no,
    file,
    erased_since,
  );
  expectMoved(changed, `the archive file of ${stream_id} to event ${to_seq_no}`);
  await addToTotals(writer, { bytes: next.size_bytes - size_bytes });
}

/** Takes the payloads of events out of the database, from behind one number to another. Their salts and hashes stay. */
export async function freePayloads(
  writer: Writer,
  { stream_id, to_seq_no, file, freed_to_seq_no }: UnfinishedRow,
  freeTo: number,
): Promise<void> {
  const changed = await writer.run(
    "UPDATE archives SET freed_to_seq_no = $1 WHERE stream_id = $2 AND to_seq_no = $3 AND file = $4 AND " +
      "freed_to_seq_no = $5",
    freeTo,
    stream_id,
    to_seq_no,
    file,
    freed_to_seq_no,
  );
  expectMoved(changed, `the archive of ${stream_id} to event ${to_seq_no}`);
  await addToTotals(writer, { events: freeTo - freed_to_seq_no });
  await writer.run(
    "UPDATE events SET payload = NULL WHERE stream_id = $1 AND seq_no > $2 AND seq_no <= $3 AND payload IS NOT NULL",
    stream_id,
    freed_to_seq_no,
    freeTo,
  );
}

/** The archive in figures. They are in a separate row: its ranges are too many to be counted. */
export interface ArchiveTotals {
  readonly files: number;
  readonly bytes: number;
  /** Events whose payloads are in files alone. */
  readonly events: number;
  /** Events that stay in the database, since their evidence is too large for one file. */
  readonly left: number;
}

async function addToTotals(
  writer: Writer,
  { files = 0, bytes = 0, events = 0, left = 0 }: Partial<ArchiveTotals>,
): Promise<void> {
  await writer.run(
    `UPDATE archive_folder SET file_count = file_count + $1, byte_count = byte_count + $2, event_count = event_count + $3,
       left_count = left_count + $4 WHERE folder_no = 1`,
    files,
    bytes,
    events,
    left,
  );
}

/** Resolves to them; all are 0 before the first file. */
export async function archiveTotals(reader: Reader): Promise<ArchiveTotals> {
  const row = await reader.first<ArchiveTotals>(
    `SELECT file_count AS files, byte_count AS bytes, event_count AS events, left_count AS "left" FROM archive_folder
     WHERE folder_no = 1`,
  );
  return row ?? { files: 0, bytes: 0, events: 0, left: 0 };
}

/** Resolves to the number of files that still hold an erased payload. */
export async function countStale(reader: Reader): Promise<number> {
  // The first condition is that of the index of what is to be finished, which is short.
  const row = await reader.first<{ stale: number }>(
    `SELECT COUNT(*) AS stale FROM archives a WHERE ${UNFINISHED} AND a.erased_since > 0`,
  );
  return row?.stale ?? 0;
}

/** Resolves to the names of all files, in order. */
export async function archiveFileNames(reader: Reader): Promise<string[]> {
  const rows = await reader.all<{ file: string }>("SELECT file FROM archives WHERE file IS NOT NULL ORDER BY file");
  return rows.map(({ file }) => file);
}

/** Resolves to the name of the folder that the deployment archives into; null before its first file. */
export async function archiveFolderId(reader: Reader): Promise<string | null> {
  return (
    (await reader.first<{ folder_id: string }>("SELECT folder_id FROM archive_folder WHERE folder_no = 1"))
      ?.folder_id ?? null
  );
}

/** Makes a folder that of the deployment, unless it has one. */
export async function keepArchiveFolder(writer: Writer, folderId: string): Promise<void> {
  const columns = ["folder_no", "folder_id", "file_count", "byte_count", "event_count", "left_count"];
  await writer.insert({ table: "archive_folder", columns, skipsRepeated: true }, [[1, folderId, 0, 0, 0, 0]]);
}
