/** The tables of a deployment on PostgreSQL, by how they grow. */

/**
 * Tables that grow with events and requests, each with the column by which a database that shards spreads its rows:
 * those with one value are in one place.
 */
export const KEYS: Readonly<Record<string, string>> = {
  streams: "stream_id",
  events: "stream_id",
  windows: "stream_id",
  checkpoints: "stream_id",
  witness_statements: "stream_id",
  outbox: "stream_id",
  unlogged_checkpoints: "stream_id",
  archives: "stream_id",
  // A key must be found for whatever stream it was used before, so that it is refused for another one.
  idempotency_records: "scope_hash",
};

/**
 * The tables of the service log, which is one log over all streams: they grow with checkpoints, are written by one job
 * alone, and are in one place.
 */
export const OF_SERVICE_LOG: ReadonlySet<string> = new Set([
  ...["service_log_leaves", "epochs"],
  // They grow with epochs.
  ...["mined_epochs", "voided_epochs", "anchorings", "anchor_transactions"],
]);

/** The tables that grow with events and requests. */
export const GROWING: ReadonlySet<string> = new Set([...Object.keys(KEYS), ...OF_SERVICE_LOG]);

/**
 * Tables that grow with what operators, auditors and processes do: systems, keys, policies, packages, reports. Each
 * shard can have all of their rows, or one of them all.
 */
export const SMALL: ReadonlySet<string> = new Set([
  ...["tenants", "systems", "principals", "credentials", "access_log"],
  ...["policies", "witness_policies", "signing_keys", "key_endorsements"],
  ...["exports", "export_accesses", "forks", "log_forks", "erasures", "jobs", "service"],
  ...["archive_folder", "archive_leavings", "service_log", "anchoring_state", "schema_migrations"],
  "unconfirmed_commits",
]);
