/** Every write may be repeated: what one made that is no event is kept beside its key, so that the answer can be made again. */
import type { Migration } from "@svc/host/store";

export const idempotentWrites: Migration = {
  version: 2,
  name: "idempotent writes",
  sql: `
-- JSON: what the answer is made from, where events alone do not say it. Never a payload: erasure could not reach it here.
ALTER TABLE idempotency_records ADD COLUMN result TEXT;
`,
};
