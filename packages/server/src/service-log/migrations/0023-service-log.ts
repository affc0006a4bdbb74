/** The log of all checkpoints of a deployment, and its epochs. */
import type { Migration } from "@svc/host/store";

/** Schema version 23. */
export const serviceLog: Migration = {
  version: 23,
  name: "service log",
  sql: `
-- Checkpoints that are not in the log yet, written with each checkpoint: no row names another stream than its own.
CREATE TABLE unlogged_checkpoints (
  stream_id TEXT NOT NULL,
  checkpoint_no BIGINT NOT NULL,
  checkpoint_id TEXT NOT NULL,
  checkpoint_hash TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (stream_id, checkpoint_no)
);
CREATE INDEX unlogged_checkpoints_in_order ON unlogged_checkpoints (created_at, stream_id, checkpoint_no);

-- The leaves, numbered from 0. nodes: the hashes of the whole subtrees that end with the leaf, the smallest first.
CREATE TABLE service_log_leaves (
  leaf_index BIGINT PRIMARY KEY,
  checkpoint_id TEXT NOT NULL UNIQUE,
  checkpoint_hash TEXT NOT NULL,
  nodes TEXT NOT NULL,
  -- The latest time of a checkpoint up to here.
  latest_created_at TEXT NOT NULL
);

-- The published sizes of the log. The document has everything that the seal covers; lines can be added to the note.
CREATE TABLE epochs (
  epoch_no BIGINT PRIMARY KEY,
  anchor_epoch_id TEXT NOT NULL UNIQUE,
  log_size BIGINT NOT NULL UNIQUE,
  anchored_at TEXT NOT NULL,
  note TEXT NOT NULL,
  document TEXT NOT NULL
);

-- One row, once the log is begun. Checkpoints of earlier releases are queued stream by stream, up to the one that is
-- named here; null when all of them are. closed_at: when epochs ended for good.
CREATE TABLE service_log (
  service_no BIGINT PRIMARY KEY CHECK (service_no = 1),
  queued_stream_id TEXT,
  queued_checkpoint_no BIGINT,
  closed_at TEXT
);
`,
};
