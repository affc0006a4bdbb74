/** Evidence of a chain whose block is gone from it: it is kept aside, and comes back if the block does. */
import type { Migration } from "@svc/host/store";

/** Schema version 28. */
export const voidedEpochs: Migration = {
  version: 28,
  name: "voided epochs",
  sql: `
-- Rows of mined_epochs that are void for now. It grows with blocks that a chain takes back although they were final, or
-- that a node denies, by 8 rows for an epoch at most.
CREATE TABLE voided_epochs (
  epoch_no BIGINT NOT NULL,
  block_hash TEXT NOT NULL,
  network TEXT NOT NULL,
  block_number BIGINT NOT NULL,
  anchored_at TEXT NOT NULL,
  note TEXT NOT NULL,
  evidence TEXT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (epoch_no, block_hash)
);

CREATE INDEX voided_epochs_by_block ON voided_epochs (network, block_number, epoch_no, block_hash);
CREATE INDEX voided_epochs_by_time ON voided_epochs (anchored_at);
`,
};
