/** Evidence that this service has signed two histories of one of its own streams. */
import type { Migration } from "@svc/host/store";

/** Schema version 6. */
export const forks: Migration = {
  version: 6,
  name: "forks",
  sql: `
-- Fork evidence, numbered along its stream in the order in which it was found. sides_hash: of both signatures, so that each pair is kept once.
CREATE TABLE forks (
  fork_id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  stream_id TEXT NOT NULL REFERENCES streams (stream_id),
  fork_no BIGINT NOT NULL,
  sides_hash TEXT NOT NULL UNIQUE,
  detected_at TEXT NOT NULL,
  document TEXT NOT NULL,
  UNIQUE (stream_id, fork_no)
);
`,
};
