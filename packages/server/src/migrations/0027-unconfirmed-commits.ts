/** Commits on a PostgreSQL server that its standbys may not have: what they wrote is not shown before. */
import type { Migration } from "@svc/host/store";

/** Schema version 27. */
export const unconfirmedCommits: Migration = {
  version: 27,
  name: "unconfirmed commits",
  // In a file, which has no standbys, it stays empty.
  sql: "CREATE TABLE unconfirmed_commits (number BIGINT NOT NULL);",
};
