/** Commits that wait for standbys are found by their number: rows that somebody else's snapshot keeps are not read. */
import type { Migration } from "@svc/host/store";

/** Schema version 29. */
export const unconfirmedByNumber: Migration = {
  version: 29,
  name: "unconfirmed by number",
  sql: "CREATE INDEX unconfirmed_commits_by_number ON unconfirmed_commits (number);",
};
