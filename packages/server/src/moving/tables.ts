/**
 * The tables that are moved, in an order in which each row finds those that it names. Their columns are those that the
 * databases have. A migration that makes a table has to name it here, as a test demands.
 */

/** A table that is moved. */
export interface MovedTable {
  readonly name: string;
  /** The columns, or expressions, that tell a row from all others: none is null, and an index has them so. */
  readonly key: readonly string[];
  /** The column that the database numbers by itself, if there is one. */
  readonly numbered?: string;
}

const table = (name: string, ...key: string[]): MovedTable => ({ name, key });
/** Policies without tenant are built in. */
const POLICY_KEY = ["policy_id", "COALESCE(tenant_id, '')", "policy_version"];

/** The tables that are moved. */
export const MOVED_TABLES: readonly MovedTable[] = [
  table("service", "service_no"),
  table("signing_keys", "kid"),
  table("key_endorsements", "endorser_kid"),
  table("tenants", "tenant_id"),
  table("principals", "tenant_id", "principal_id"),
  table("credentials", "credential_id"),
  table("systems", "system_id"),
  table("policies", ...POLICY_KEY),
  table("witness_policies", ...POLICY_KEY),
  table("streams", "stream_id"),
  // A server keeps identifiers apart within a stream only.
  table("events", "stream_event_id", "stream_id"),
  table("erasures", "stream_event_id"),
  table("archives", "stream_id", "to_seq_no"),
  table("archive_leavings", "file"),
  table("archive_folder", "folder_no"),
  table("windows", "window_id"),
  table("checkpoints", "checkpoint_id"),
  table("witness_statements", "checkpoint_id", "witness_id", "key_epoch"),
  table("unlogged_checkpoints", "stream_id", "checkpoint_no"),
  table("service_log", "service_no"),
  table("service_log_leaves", "leaf_index"),
  table("epochs", "epoch_no"),
  table("mined_epochs", "epoch_no"),
  table("voided_epochs", "epoch_no", "block_hash"),
  table("anchorings", "epoch_no"),
  table("anchor_transactions", "tx_hash"),
  table("anchoring_state", "service_no"),
  table("forks", "fork_id"),
  table("log_forks", "fork_id"),
  { ...table("idempotency_records", "record_no"), numbered: "record_no" },
  table("outbox", "outbox_id"),
  table("package_folder", "folder_no"),
  table("exports", "export_id"),
  table("export_ranges", "export_id", "stream_id"),
  table("export_accesses", "access_id"),
  table("export_verifications", "access_id", "verifier_kind", "verifier_version"),
  table("access_log", "access_id"),
];

/** The tables that are not moved, each with the reason. */
export const LEFT_TABLES: Readonly<Record<string, string>> = {
  schema_migrations: "the migrations themselves make it, and both databases have the same",
  jobs: "leases are of processes that have ended by then",
  unconfirmed_commits: "they are commits of the server that is left",
};
