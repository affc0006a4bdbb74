/** The anchoring of epochs in a public chain, and the evidence from there. */
import type { Migration } from "@svc/host/store";

/** Schema version 25. */
export const anchoring: Migration = {
  version: 25,
  name: "anchoring",
  sql: `
-- One row for each epoch that was sent. tx_hash: the transaction that was mined, or the last one that was sent. nonce:
-- its number; null where another process had sent it. cost_gwei: its cost, at most as long as it is not mined;
-- spent_gwei: that of earlier ones that came to nothing. Both count for the day of begun_at. problem: why it failed.
CREATE TABLE anchorings (
  epoch_no BIGINT PRIMARY KEY,
  log_size BIGINT NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('pending', 'mined', 'confirmed', 'failed')),
  network TEXT NOT NULL,
  contract TEXT NOT NULL,
  sender TEXT NOT NULL,
  nonce BIGINT,
  tx_hash TEXT NOT NULL,
  block_number BIGINT,
  block_hash TEXT,
  cost_gwei BIGINT NOT NULL,
  spent_gwei BIGINT NOT NULL,
  begun_at TEXT NOT NULL,
  problem TEXT
);
CREATE INDEX anchorings_in_flight ON anchorings (epoch_no) WHERE state IN ('pending', 'mined');
CREATE INDEX anchorings_failed ON anchorings (epoch_no) WHERE state = 'failed';
CREATE INDEX anchorings_by_time ON anchorings (begun_at, cost_gwei, spent_gwei);

-- The signed transactions of the epochs that were sent last: only what is here is ever sent. Those of one epoch and
-- number take each other's place. Fees are decimal digits: they can be larger than a number is.
CREATE TABLE anchor_transactions (
  tx_hash TEXT PRIMARY KEY,
  epoch_no BIGINT NOT NULL,
  nonce BIGINT NOT NULL,
  raw TEXT NOT NULL,
  max_fee_wei TEXT NOT NULL,
  tip_wei TEXT NOT NULL,
  max_cost_gwei BIGINT NOT NULL,
  sent_at TEXT NOT NULL,
  head_number BIGINT NOT NULL
);
CREATE INDEX anchor_transactions_of_epoch ON anchor_transactions (epoch_no);

-- Epochs with their evidence, sealed anew: the block is under the seal. note: with the line of the key that sealed it,
-- which can be another than the one that published the epoch; lines of witnesses are in epochs. The document has
-- everything that the seal covers.
CREATE TABLE mined_epochs (
  epoch_no BIGINT PRIMARY KEY,
  log_size BIGINT NOT NULL UNIQUE,
  network TEXT NOT NULL,
  block_number BIGINT NOT NULL,
  block_hash TEXT NOT NULL,
  anchored_at TEXT NOT NULL,
  note TEXT NOT NULL,
  evidence TEXT NOT NULL,
  document TEXT NOT NULL
);

CREATE INDEX mined_epochs_by_time ON mined_epochs (anchored_at);
CREATE INDEX mined_epochs_by_block ON mined_epochs (network, block_number, epoch_no);

-- One row, once anchoring has begun: what it last saw of the chain, and why it does not go on.
CREATE TABLE anchoring_state (
  service_no BIGINT PRIMARY KEY CHECK (service_no = 1),
  head_number BIGINT,
  balance_gwei BIGINT,
  nonce BIGINT,
  problem TEXT,
  problem_since TEXT
);
`,
};
