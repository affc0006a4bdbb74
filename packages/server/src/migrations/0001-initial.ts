/**
 * The first migration. It has room for every route family of the service: each row belongs to a tenant, each evidence
 * row names its actor, and streams, principals, jobs and outbox are wider than today's routes need. A released
 * migration is never edited.
 */
import type { Migration } from "@svc/host/store";

/** Schema version 1. */
export const initial: Migration = {
  version: 1,
  name: "initial",
  sql: `
-- One row: what is fixed for the whole deployment. The evidence origin stands in every checkpoint and never changes.
CREATE TABLE service (
  service_no BIGINT PRIMARY KEY CHECK (service_no = 1),
  evidence_origin TEXT NOT NULL,
  -- A keyed hash of nothing: tells another pepper file from the one that the stored hashes were made with.
  pepper_mac TEXT NOT NULL,
  api_url TEXT,
  dashboard_url TEXT,
  audit_url TEXT,
  status_url TEXT,
  marketplace_url TEXT,
  created_at TEXT NOT NULL
);

-- Public halves of the sealing keys; the private ones never enter the database.
CREATE TABLE signing_keys (
  kid TEXT PRIMARY KEY,
  public_key_hex TEXT NOT NULL UNIQUE,
  valid_from TEXT NOT NULL,
  retired_at TEXT
);

CREATE TABLE tenants (
  tenant_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  settings TEXT NOT NULL,
  created_at TEXT NOT NULL
);

-- Whoever can act: systems, users, auditors, installations, connectors, parties and the service itself.
CREATE TABLE principals (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  principal_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('system', 'user', 'auditor', 'installation', 'connector', 'party', 'service')),
  roles TEXT NOT NULL,
  created_at TEXT NOT NULL,
  disabled_at TEXT,
  PRIMARY KEY (tenant_id, principal_id)
);

-- What a principal shows. Only a keyed hash of the secret is kept.
CREATE TABLE credentials (
  credential_id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  principal_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('system_key', 'session', 'invite', 'token')),
  secret_mac TEXT NOT NULL,
  limits TEXT,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  revoked_at TEXT,
  last_used_at TEXT,
  FOREIGN KEY (tenant_id, principal_id) REFERENCES principals (tenant_id, principal_id)
);
CREATE INDEX credentials_of_principal ON credentials (tenant_id, principal_id);

CREATE TABLE systems (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  system_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  source_timezone TEXT,
  created_at TEXT NOT NULL
);
CREATE INDEX systems_of_tenant ON systems (tenant_id);

-- Policies by version. Ids are unique in the deployment; a row without tenant is built in. explicit: declared by somebody.
CREATE TABLE policies (
  policy_id TEXT NOT NULL,
  policy_version BIGINT NOT NULL,
  tenant_id TEXT REFERENCES tenants (tenant_id),
  digest TEXT NOT NULL UNIQUE,
  document TEXT NOT NULL,
  explicit BIGINT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (policy_id, policy_version)
);

-- The resolved witness policies: what is hashed and served.
CREATE TABLE witness_policies (
  policy_id TEXT NOT NULL,
  policy_version BIGINT NOT NULL,
  tenant_id TEXT REFERENCES tenants (tenant_id),
  digest TEXT NOT NULL UNIQUE,
  document TEXT NOT NULL,
  threshold BIGINT NOT NULL,
  explicit BIGINT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (policy_id, policy_version)
);

-- The head, the windows and the checkpoints of a stream move by compare-and-set on these columns.
CREATE TABLE streams (
  stream_id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  system_id TEXT REFERENCES systems (system_id),
  class TEXT NOT NULL CHECK (class IN ('legacy', 'provenance', 'lifecycle')),
  use_case TEXT NOT NULL,
  policy_id TEXT NOT NULL,
  policy_explicit BIGINT NOT NULL,
  metadata TEXT NOT NULL,
  created_at TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  head_seq_no BIGINT NOT NULL,
  head_event_hash TEXT NOT NULL,
  last_received_at TEXT,
  unwindowed_since TEXT,
  windowed_to_seq_no BIGINT NOT NULL,
  window_count BIGINT NOT NULL,
  checkpointed_window_count BIGINT NOT NULL,
  checkpointed_to_seq_no BIGINT NOT NULL
);
CREATE INDEX streams_of_tenant ON streams (tenant_id, stream_id);
CREATE INDEX streams_awaiting_window ON streams (unwindowed_since) WHERE unwindowed_since IS NOT NULL;
CREATE INDEX streams_awaiting_checkpoint ON streams (stream_id) WHERE window_count > checkpointed_window_count;

CREATE TABLE events (
  stream_event_id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  stream_id TEXT NOT NULL REFERENCES streams (stream_id),
  seq_no BIGINT NOT NULL,
  source_ref TEXT NOT NULL,
  event_type TEXT NOT NULL,
  occurred_at TEXT NOT NULL,
  occurred_at_utc TEXT NOT NULL,
  source_timezone TEXT,
  received_at TEXT NOT NULL,
  payload TEXT,
  payload_salt TEXT,
  payload_hash TEXT NOT NULL,
  previous_event_hash TEXT NOT NULL,
  event_hash TEXT NOT NULL,
  stream_head_hash TEXT NOT NULL,
  receipt_kid TEXT NOT NULL,
  receipt_signature TEXT NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  installation_id TEXT,
  envelope_hash TEXT,
  capsule_root TEXT,
  UNIQUE (stream_id, seq_no)
);
CREATE INDEX events_by_source_ref ON events (stream_id, source_ref);

-- Windows and checkpoints as they were sealed, with the columns by which they are found.
CREATE TABLE windows (
  window_id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  stream_id TEXT NOT NULL REFERENCES streams (stream_id),
  window_no BIGINT NOT NULL,
  from_seq_no BIGINT NOT NULL,
  to_seq_no BIGINT NOT NULL,
  window_hash TEXT NOT NULL,
  document TEXT NOT NULL,
  UNIQUE (stream_id, window_no),
  UNIQUE (stream_id, to_seq_no)
);

CREATE TABLE checkpoints (
  checkpoint_id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  stream_id TEXT NOT NULL REFERENCES streams (stream_id),
  checkpoint_no BIGINT NOT NULL,
  window_count BIGINT NOT NULL,
  to_seq_no BIGINT NOT NULL,
  checkpoint_hash TEXT NOT NULL,
  witness_policy_digest TEXT NOT NULL,
  frontier_before TEXT NOT NULL,
  document TEXT NOT NULL,
  UNIQUE (stream_id, checkpoint_no),
  UNIQUE (stream_id, window_count)
);

CREATE TABLE witness_statements (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  stream_id TEXT NOT NULL REFERENCES streams (stream_id),
  checkpoint_id TEXT NOT NULL REFERENCES checkpoints (checkpoint_id),
  witness_id TEXT NOT NULL,
  key_epoch BIGINT NOT NULL,
  window_count BIGINT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (checkpoint_id, witness_id, key_epoch)
);
CREATE INDEX witness_statements_of_stream ON witness_statements (stream_id, window_count);

-- What the managed witness itself remembers: the last whole signed note of each origin. Moves by compare-and-set on the size.
CREATE TABLE witness_state (
  witness_name TEXT NOT NULL,
  origin TEXT NOT NULL,
  tree_size BIGINT NOT NULL,
  frontier TEXT NOT NULL,
  signed_note TEXT NOT NULL,
  cosigned_at BIGINT NOT NULL,
  PRIMARY KEY (witness_name, origin)
);

-- What a write with an Idempotency-Key did. The answer is made again from the events, so erasure reaches it.
CREATE TABLE idempotency_records (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  principal_id TEXT NOT NULL,
  route TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  request_mac TEXT NOT NULL,
  stream_id TEXT NOT NULL,
  from_seq_no BIGINT NOT NULL,
  to_seq_no BIGINT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (tenant_id, principal_id, route, idempotency_key)
);
CREATE INDEX idempotency_records_by_age ON idempotency_records (created_at);

-- Work for the outside: witness feeding, anchoring, webhooks, mail. At least once; subject makes an item unique in its kind.
CREATE TABLE outbox (
  outbox_id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  payload TEXT NOT NULL,
  created_at TEXT NOT NULL,
  attempts BIGINT NOT NULL,
  next_attempt_at TEXT NOT NULL,
  lease_owner TEXT,
  lease_until TEXT,
  done_at TEXT,
  last_error TEXT,
  UNIQUE (kind, subject)
);
CREATE INDEX outbox_due ON outbox (kind, next_attempt_at) WHERE done_at IS NULL;

-- Who may do a job now. fencing_no rises with every new holder, so that a late one is found out.
CREATE TABLE jobs (
  job_name TEXT PRIMARY KEY,
  lease_owner TEXT NOT NULL,
  lease_until TEXT NOT NULL,
  fencing_no BIGINT NOT NULL
);

-- Who did what to which object.
CREATE TABLE access_log (
  access_id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  at TEXT NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  action TEXT NOT NULL,
  object_id TEXT NOT NULL,
  detail TEXT NOT NULL
);
CREATE INDEX access_log_of_tenant ON access_log (tenant_id, at);
`,
};
