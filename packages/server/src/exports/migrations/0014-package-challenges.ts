/**
 * Challenges, whose answer shows that a reporter holds a package. Packages of earlier releases have none, and reports
 * on them are refused.
 */
import type { Migration } from "@svc/host/store";

/** Schema version 14. */
export const packageChallenges: Migration = {
  version: 14,
  name: "package challenges",
  sql: `
ALTER TABLE exports ADD COLUMN challenge TEXT;
-- SHA-256 of the answer to it, as hex: neither the database nor what is shown of an export says the answer itself.
ALTER TABLE exports ADD COLUMN proof_sha256 TEXT;
`,
};
