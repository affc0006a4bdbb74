/**
 * Every write may be repeated: a result that is no event is stored beside its key, so that the answer can be made
 * again.
 */
import type { Migration } from "@svc/host/store";

/** Schema version 2. */
export const idempotentWrites: Migration = {
  version: 2,
  name: "idempotent writes",
  sql: `
-- JSON: what the answer is made from, where events alone do not say it. Never a payload: erasure could not reach it here.
ALTER TABLE idempotency_records ADD COLUMN result TEXT;
`,
};
