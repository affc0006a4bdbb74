/** Sealing on demand: how far somebody waits for the proofs of a stream. */
import type { Migration } from "@svc/host/store";

export const sealingOnDemand: Migration = {
  version: 8,
  name: "sealing on demand",
  sql: `
-- The window that holds this event is closed without waiting for more events; 0 where nobody waits for one.
ALTER TABLE streams ADD COLUMN seal_demanded_to BIGINT NOT NULL DEFAULT 0;
`,
};
