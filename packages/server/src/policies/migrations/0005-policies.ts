/**
 * Adds key endorsements, and drops the five URLs beside the evidence origin: they are settings of the environment
 * (config.ts), and two places could contradict each other.
 */
import type { Migration } from "@svc/host/store";

/** Schema version 5. */
export const policies: Migration = {
  version: 5,
  name: "policies",
  sql: `
-- By which a sealing key hands its trust on to its successor (protocol section 4), as they were sealed. A key endorses one key at most:
-- two would be a conflict that every verifier refuses.
CREATE TABLE key_endorsements (
  endorser_kid TEXT PRIMARY KEY REFERENCES signing_keys (kid),
  endorsed_kid TEXT NOT NULL REFERENCES signing_keys (kid),
  document TEXT NOT NULL,
  created_at TEXT NOT NULL
);

ALTER TABLE service DROP COLUMN api_url;
ALTER TABLE service DROP COLUMN dashboard_url;
ALTER TABLE service DROP COLUMN audit_url;
ALTER TABLE service DROP COLUMN status_url;
ALTER TABLE service DROP COLUMN marketplace_url;
`,
};
