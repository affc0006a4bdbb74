/** Exports: truth packages that are built beside the requests, the accesses to them, and the reports on them. */
import type { Migration } from "@svc/host/store";

/** Schema version 10. */
export const exports: Migration = {
  version: 10,
  name: "exports",
  sql: `
-- What is known of a package stays after its file is gone: reports on it can still come.
CREATE TABLE exports (
  export_id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  actor_kind TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  payloads TEXT NOT NULL CHECK (payloads IN ('included', 'redacted')),
  state TEXT NOT NULL CHECK (state IN ('queued', 'building', 'ready', 'failed', 'deleted')),
  created_at TEXT NOT NULL,
  -- Counts the builds that were begun. It stands in the names of their files, so that no two builds ever write to one.
  build_no BIGINT NOT NULL,
  -- How many of them ended without a result since the last reason to begin anew.
  attempts BIGINT NOT NULL,
  -- The time in the package's manifest: when its evidence was chosen.
  packaged_at TEXT,
  package_sha256 TEXT,
  manifest_sha256 TEXT,
  size_bytes BIGINT,
  generated_event_id TEXT REFERENCES events (stream_event_id),
  ready_at TEXT,
  expires_at TEXT,
  failed_at TEXT,
  failure_code TEXT,
  deleted_at TEXT,
  deleted_because TEXT,
  -- When the file of a deleted export was gone as well.
  file_removed_at TEXT
);
CREATE INDEX exports_of_actor ON exports (tenant_id, actor_id, export_id);
CREATE INDEX exports_at_work ON exports (export_id) WHERE state IN ('queued', 'building');
CREATE INDEX exports_by_end ON exports (expires_at) WHERE state = 'ready';
CREATE INDEX exports_with_files ON exports (export_id) WHERE state = 'deleted' AND file_removed_at IS NULL;

-- The events that were asked for, one range for each stream.
CREATE TABLE export_ranges (
  export_id TEXT NOT NULL REFERENCES exports (export_id),
  stream_id TEXT NOT NULL REFERENCES streams (stream_id),
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  from_seq_no BIGINT NOT NULL,
  to_seq_no BIGINT NOT NULL,
  -- JSON: which evidence was chosen for the bundle, so that a build that is begun again makes the same one. Null before and after.
  evidence TEXT,
  PRIMARY KEY (export_id, stream_id)
);
CREATE INDEX export_ranges_of_stream ON export_ranges (stream_id, to_seq_no);

-- Tickets, and what became of them. Of the ticket itself only a keyed hash is kept.
CREATE TABLE export_accesses (
  access_id TEXT PRIMARY KEY,
  export_id TEXT NOT NULL REFERENCES exports (export_id),
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  actor_kind TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  ticket_mac TEXT NOT NULL UNIQUE,
  prepared_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  -- Null until the ticket is used.
  accessed_event_id TEXT REFERENCES events (stream_event_id)
);
CREATE INDEX export_accesses_unused ON export_accesses (expires_at) WHERE accessed_event_id IS NULL;

-- Reports of verifiers that were recorded: one for each verifier of an access.
CREATE TABLE export_verifications (
  access_id TEXT NOT NULL REFERENCES export_accesses (access_id),
  verifier_kind TEXT NOT NULL,
  verifier_version TEXT NOT NULL,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  verified_event_id TEXT NOT NULL REFERENCES events (stream_event_id),
  PRIMARY KEY (access_id, verifier_kind, verifier_version)
);

CREATE INDEX access_log_of_object ON access_log (object_id, at);
`,
};
