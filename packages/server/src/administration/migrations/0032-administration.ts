/** Entries of the access log about the administration name their events; 0: from before there were any, or by init. */
import type { Migration } from "@svc/host/store";

/** Schema version 32. */
export const administrationEvents: Migration = {
  version: 32,
  name: "administration",
  sql: `
ALTER TABLE access_log ADD COLUMN administration_stream_id TEXT;
ALTER TABLE access_log ADD COLUMN administration_seq_no BIGINT;
UPDATE access_log SET administration_seq_no = 0 WHERE action IN ('tenant.created', 'system.created', 'system.retired',
  'system_key.created', 'system_key.rotated', 'system_key.revoked', 'policy.declared', 'export.created',
  'export.deleted', 'signing_key.rotated', 'witness_key.rotated', 'service.loss_accepted');
CREATE INDEX access_log_by_event ON access_log (administration_stream_id, administration_seq_no)
  WHERE administration_stream_id IS NOT NULL;
`,
};
