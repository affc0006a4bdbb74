/** The schema of the witness's database. A released migration is never edited. */
import type { Migration } from "@svc/host/store";

/** The migrations, in order. */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: "witness",
    sql: `
-- One row: the witness, and how far it has signed. Each cosignature raises the number and extends the chain of hashes.
CREATE TABLE witness (
  only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
  vkey TEXT NOT NULL,
  signed_no BIGINT NOT NULL,
  signed_head TEXT NOT NULL
);
-- The keys of logs. A log that is removed keeps its other rows: what was signed stays signed.
CREATE TABLE log_keys (
  origin TEXT NOT NULL,
  vkey TEXT NOT NULL,
  added_at TEXT NOT NULL,
  PRIMARY KEY (origin, vkey)
);
-- The last cosigned tree of each origin, with the whole note.
CREATE TABLE latest (
  origin TEXT PRIMARY KEY,
  origin_hash TEXT NOT NULL UNIQUE,
  tree_size BIGINT NOT NULL,
  root_hash TEXT NOT NULL,
  signed_note TEXT NOT NULL,
  cosigned_at BIGINT NOT NULL
);
-- Notes that logs have signed, cosigned or refused, so that a contradiction has both sides.
CREATE TABLE notes (
  note_no INTEGER PRIMARY KEY AUTOINCREMENT,
  origin TEXT NOT NULL,
  tree_size BIGINT NOT NULL,
  root_hash TEXT NOT NULL,
  signed_note TEXT NOT NULL,
  -- Null for a note that was refused.
  signed_no BIGINT UNIQUE,
  signed_head TEXT,
  UNIQUE (origin, tree_size, root_hash)
);
CREATE INDEX signed_notes ON notes (origin, signed_no) WHERE signed_no IS NOT NULL;
CREATE INDEX refused_notes ON notes (origin, note_no) WHERE signed_no IS NULL;
CREATE TABLE forks (
  fork_id TEXT PRIMARY KEY,
  origin TEXT NOT NULL,
  tree_size BIGINT NOT NULL,
  left_root TEXT NOT NULL,
  right_root TEXT NOT NULL,
  detected_at TEXT NOT NULL,
  evidence TEXT NOT NULL,
  UNIQUE (origin, tree_size, left_root, right_root)
);
`,
  },
  {
    version: 2,
    name: "streams",
    sql: `
-- Whether the key also signs the logs of a service's streams, each of which has an origin of its own under that of the key.
ALTER TABLE log_keys ADD COLUMN streams BIGINT NOT NULL DEFAULT 0;
`,
  },
  {
    version: 3,
    name: "keys of forks",
    sql: `
-- How many keys evidence needs: 1 if one has signed both histories. One pair of roots may be proven by two keys, and later by one.
CREATE TABLE forks_by_keys (
  fork_id TEXT PRIMARY KEY,
  origin TEXT NOT NULL,
  tree_size BIGINT NOT NULL,
  left_root TEXT NOT NULL,
  right_root TEXT NOT NULL,
  detected_at TEXT NOT NULL,
  evidence TEXT NOT NULL,
  key_count BIGINT NOT NULL,
  UNIQUE (origin, tree_size, left_root, right_root, key_count)
);
-- Earlier evidence names all keys of its log: it holds for one who pins all of them.
INSERT INTO forks_by_keys SELECT fork_id, origin, tree_size, left_root, right_root, detected_at, evidence,
  json_array_length(evidence, '$.key_hints') FROM forks;
DROP TABLE forks;
ALTER TABLE forks_by_keys RENAME TO forks;
`,
  },
  {
    version: 4,
    name: "keys of lists",
    sql: `
-- 1 for a key that a list of others has brought; 0 for one that the operator gave.
ALTER TABLE log_keys ADD COLUMN listed BIGINT NOT NULL DEFAULT 0;
`,
  },
  {
    version: 5,
    name: "sum of last trees",
    sql: `
-- The sum over the last trees, and the seal on this row, both under the key. Null until the first start, which makes them.
ALTER TABLE witness ADD COLUMN tree_sum TEXT;
ALTER TABLE witness ADD COLUMN seal TEXT;
`,
  },
  {
    version: 6,
    name: "disowned trees",
    sql: `
-- The keys by which the cosigned notes of an origin were signed. An empty one stands for notes of an earlier release.
CREATE TABLE signers (
  origin TEXT NOT NULL,
  vkey TEXT NOT NULL,
  listed BIGINT NOT NULL,
  PRIMARY KEY (origin, vkey)
);
INSERT INTO signers SELECT origin, '', 0 FROM latest;
-- Trees that were cosigned for a key of a list that was none of the log's. No other root of their sizes is ever cosigned.
CREATE TABLE disowned (
  origin TEXT NOT NULL,
  tree_size BIGINT NOT NULL,
  root_hash TEXT NOT NULL,
  signed_note TEXT NOT NULL,
  PRIMARY KEY (origin, tree_size, root_hash)
);
`,
  },
];
