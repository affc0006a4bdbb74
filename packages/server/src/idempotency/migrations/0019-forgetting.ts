/**
 * Rows of forgotten keys are taken from the table and its indexes before they are a fifth of it, as a server has it by
 * default: of ten million keys of thirty days that would be those of six days.
 */
import type { Migration } from "@svc/host/store";

/** Schema version 19. */
export const forgetting: Migration = {
  version: 19,
  name: "forgetting",
  // A file has no such work.
  sql: "",
  onServer: "ALTER TABLE idempotency_records SET (autovacuum_vacuum_scale_factor = 0.05)",
};
