/** Sealing on demand: the last event of a stream whose proofs somebody waits for. */
import type { Migration } from "@svc/host/store";

/** Schema version 8. */
export const sealingOnDemand: Migration = {
  version: 8,
  name: "sealing on demand",
  sql: `
-- The window that holds this event is closed without waiting for more events; 0 where nobody waits for one.
ALTER TABLE streams ADD COLUMN seal_demanded_to BIGINT NOT NULL DEFAULT 0;
`,
};
