/** The stream of an outbox message: several processes seal at a time, each its own streams. */
import type { Migration } from "@svc/host/store";

/** Schema version 16. */
export const shards: Migration = {
  version: 16,
  name: "shards",
  sql: `
-- The stream in whose shard the message is dispatched; null for a message about no stream.
ALTER TABLE outbox ADD COLUMN stream_id TEXT;
-- Messages that are done are never read again.
UPDATE outbox SET stream_id = (SELECT c.stream_id FROM checkpoints c WHERE c.checkpoint_id = outbox.subject)
  WHERE done_at IS NULL;
`,
};
