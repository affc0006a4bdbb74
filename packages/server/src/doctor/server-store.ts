/** The answers of a PostgreSQL server about its pages and its archived log: all SQL about them. */
import type { Reader } from "@svc/host/store";

/** The answers. Times are those of the server, as texts. */
export interface ServerHealth {
  /** The setting `data_checksums`. */
  readonly checksums: string;
  /** How many pages of the database had another checksum than they were written with; null without checksums. */
  readonly failed_pages: number | null;
  /** The setting `archive_mode`. */
  readonly archive_mode: string;
  /** The file of the log that was archived last, and when; null if none was. */
  readonly archived_file: string | null;
  readonly archived_at: string | null;
  /** The file of the log that could not be archived, if that was the last try; else null. */
  readonly refused_file: string | null;
}

/** Resolves to the answers. Every user may ask. */
export function serverHealth(reader: Reader): Promise<ServerHealth | null> {
  return reader.first<ServerHealth>(
    `SELECT current_setting('data_checksums') AS checksums, current_setting('archive_mode') AS archive_mode,
       d.checksum_failures AS failed_pages, a.last_archived_wal AS archived_file,
       to_char(a.last_archived_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS archived_at,
       CASE WHEN a.last_failed_time > COALESCE(a.last_archived_time, '-infinity') THEN a.last_failed_wal END AS refused_file
     FROM pg_stat_database d, pg_stat_archiver a WHERE d.datname = current_database()`,
  );
}
