/** A tenant has a lifecycle stream for each purpose (purposes.ts), which its use case tells. */
import type { Migration } from "@svc/host/store";

/** Schema version 30. */
export const lifecyclePurposes: Migration = {
  version: 30,
  name: "lifecycle purposes",
  sql: `
DROP INDEX lifecycle_stream_of_tenant;
CREATE UNIQUE INDEX lifecycle_stream_of_tenant ON streams (tenant_id, use_case) WHERE class = 'lifecycle' AND closed_at IS NULL;
`,
};
