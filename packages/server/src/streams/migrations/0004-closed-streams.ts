/**
 * Streams can be closed: after a loss of data a stream must not continue from a point from which others have seen it
 * continue before.
 */
import type { Migration } from "@svc/host/store";

/** Schema version 4. */
export const closedStreams: Migration = {
  version: 4,
  name: "closed streams",
  sql: `
-- When the stream stopped to take events, windows and checkpoints for good; null for one that takes them.
ALTER TABLE streams ADD COLUMN closed_at TEXT;

DROP INDEX lifecycle_stream_of_tenant;
CREATE UNIQUE INDEX lifecycle_stream_of_tenant ON streams (tenant_id) WHERE class = 'lifecycle' AND closed_at IS NULL;
`,
};
