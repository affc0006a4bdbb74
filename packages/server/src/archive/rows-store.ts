/** Rows of the archive and their events as the database stores them, for checking: all SQL about it. */
import type { Reader } from "@svc/host/store";
import type { ArchiveRow, ArchiveTotals } from "./archives-store.ts";

/** The name of a range. */
export type RangeKey = Pick<ArchiveRow, "stream_id" | "to_seq_no">;

/** Resolves to the first range behind another one, with how many events its stream has; null after the last. */
export function nextArchive(
  reader: Reader,
  { stream_id, to_seq_no }: RangeKey,
): Promise<(ArchiveRow & { readonly head_seq_no: number | null }) | null> {
  return reader.first(
    `SELECT a.*, (SELECT s.head_seq_no FROM streams s WHERE s.stream_id = a.stream_id) AS head_seq_no FROM archives a
     WHERE (a.stream_id, a.to_seq_no) > ($1, $2) ORDER BY a.stream_id, a.to_seq_no LIMIT 1`,
    stream_id,
    to_seq_no,
  );
}

/** Resolves to the file that a range has by now; null if it has none. */
export async function fileOfArchive(reader: Reader, { stream_id, to_seq_no }: RangeKey): Promise<string | null> {
  const sql = "SELECT file FROM archives WHERE stream_id = $1 AND to_seq_no = $2";
  return (await reader.first<Pick<ArchiveRow, "file">>(sql, stream_id, to_seq_no))?.file ?? null;
}

/** An event of a range. */
export interface ArchivedEvent {
  readonly stream_event_id: string;
  readonly seq_no: number;
  readonly payload_hash: string;
  readonly payload_salt: string | null;
  /** Whether the database has the payload: 1 or 0. */
  readonly is_here: number;
  /** The status of an event of a log. */
  readonly status: string | null;
  readonly event_log_no: number | null;
}

/** Resolves to the events of a range, in order. */
export function eventsOfArchive(
  reader: Reader,
  { stream_id, from_seq_no, to_seq_no }: Pick<ArchiveRow, "stream_id" | "from_seq_no" | "to_seq_no">,
): Promise<ArchivedEvent[]> {
  return reader.all(
    `SELECT stream_event_id, seq_no, payload_hash, payload_salt, CASE WHEN payload IS NULL THEN 0 ELSE 1 END AS is_here, status,
       event_log_no
     FROM events WHERE stream_id = $1 AND seq_no >= $2 AND seq_no <= $3 ORDER BY seq_no`,
    stream_id,
    from_seq_no,
    to_seq_no,
  );
}

/** Resolves to those of a list of files that neither a range nor the list of what is to be removed names. */
export async function unknownFiles(reader: Reader, files: readonly string[]): Promise<string[]> {
  const known = new Set<string>();
  const rows = await reader.all<{ file: string }>(
    "SELECT file FROM archives WHERE file IS NOT NULL UNION ALL SELECT file FROM archive_leavings",
  );
  for (const { file } of rows) known.add(file).add(`${file}.unfinished`);
  return files.filter((file) => !known.has(file));
}

/** Resolves to the latest time in the database of what happens beside an archive, or null. */
export async function newestTime(reader: Reader): Promise<string | null> {
  const row = await reader.first<{ newest: string | null }>(
    `SELECT MAX(t.at) AS newest FROM (
       SELECT MAX(archived_at) AS at FROM archives UNION ALL SELECT MAX(at) FROM access_log
       UNION ALL SELECT MAX(last_sealed_at) FROM streams) t`,
  );
  return row?.newest ?? null;
}

/** Resolves to what the totals of the archive are by its ranges. */
export async function countArchives(reader: Reader): Promise<ArchiveTotals> {
  const row = await reader.first<ArchiveTotals>(
    `SELECT COUNT(file) AS files, COALESCE(SUM(size_bytes), 0) AS bytes,
       COALESCE(SUM(CASE WHEN file IS NULL THEN 0 ELSE freed_to_seq_no - from_seq_no + 1 END), 0) AS events,
       COALESCE(SUM(CASE WHEN file IS NULL THEN to_seq_no - from_seq_no + 1 ELSE 0 END), 0) AS "left" FROM archives`,
  );
  return row ?? { files: 0, bytes: 0, events: 0, left: 0 };
}
