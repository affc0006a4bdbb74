/** The archive: the files that hold payloads of older events in place of the database. */
import type { Migration } from "@svc/host/store";

/** Schema version 20. */
export const archiveTables: Migration = {
  version: 20,
  name: "archive",
  sql: `
-- A range of a stream, and the file that holds its payloads. The ranges of a stream follow each other without a gap. An event
-- whose payload is null and whose salt is not has its payload in the file of its range; after an erasure both are null.
CREATE TABLE archives (
  stream_id TEXT NOT NULL REFERENCES streams (stream_id),
  from_seq_no BIGINT NOT NULL,
  to_seq_no BIGINT NOT NULL,
  -- Null for a range that stays in the database, since its evidence is too large for one file.
  file TEXT UNIQUE,
  sha256 TEXT,
  size_bytes BIGINT NOT NULL,
  -- The last event of the range whose payload has been taken out of the database.
  freed_to_seq_no BIGINT NOT NULL,
  -- How many payloads have been erased since the file was written: it still holds them.
  erased_since BIGINT NOT NULL,
  archived_at TEXT NOT NULL,
  -- Where each payload begins in the file, and how long it is (archived/places.ts). It is long, and stands behind all that
  -- is read of many rows: SQLite reads through it to get to what is behind.
  places TEXT NOT NULL,
  PRIMARY KEY (stream_id, to_seq_no)
);
CREATE INDEX archives_unfinished ON archives (stream_id, to_seq_no) WHERE erased_since > 0 OR freed_to_seq_no < to_seq_no;

-- Files that are to be removed: those that were replaced, and those that a killed process may have left unfinished.
CREATE TABLE archive_leavings (
  file TEXT PRIMARY KEY
);

-- The folder of the files, by its own name, and the totals of all ranges: files and their bytes, events whose payloads are
-- in files alone, and events of ranges without a file.
CREATE TABLE archive_folder (
  folder_no BIGINT PRIMARY KEY CHECK (folder_no = 1),
  folder_id TEXT NOT NULL,
  file_count BIGINT NOT NULL,
  byte_count BIGINT NOT NULL,
  event_count BIGINT NOT NULL,
  left_count BIGINT NOT NULL
);
`,
};
