/** A system can be retired: its keys end, and its streams stay. */
import type { Migration } from "@svc/host/store";

/** Schema version 31. */
export const retiredSystems: Migration = {
  version: 31,
  name: "retired systems",
  sql: "ALTER TABLE systems ADD COLUMN retired_at TEXT;",
};
