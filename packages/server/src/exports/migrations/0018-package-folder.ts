/** The one folder of the packages, by its own name: servers that share a database must share that too. */
import type { Migration } from "@svc/host/store";

/** Schema version 18. */
export const packageFolder: Migration = {
  version: 18,
  name: "package folder",
  sql: `
CREATE TABLE package_folder (
  folder_no BIGINT PRIMARY KEY CHECK (folder_no = 1),
  folder_id TEXT NOT NULL
);
`,
};
