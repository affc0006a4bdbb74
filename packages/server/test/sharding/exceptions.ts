/**
 * The statements that read or write a table that grows without naming its key, each with its reason. A statement that
 * is not word for word one of these must name the key.
 */

interface Exceptions {
  readonly because: string;
  readonly tables: readonly string[];
  readonly statements: readonly string[];
}

const LISTED = "stream_id, class, system_id, use_case, policy_id, metadata, created_at, closed_at, head_seq_no";
const LOG = "stream_id, system_id, class, closed_at, event_log_no, head_seq_no";
const OF_SYSTEM = "tenant_id = $1 AND system_id = $2";
const LIFECYCLE = "tenant_id = $1 AND system_id IS NULL AND class = 'lifecycle' AND stream_id > $2";

const EXCEPTIONS: readonly Exceptions[] = [
  {
    because:
      "The request names an event, a window or a checkpoint alone, so every shard is asked. An identifier that " +
      "begins with its stream's would say where, and those that are in evidence do not.",
    tables: ["events", "streams"],
    statements: [
      `SELECT e.stream_event_id, e.stream_id, e.seq_no, e.source_ref, e.event_type, e.occurred_at, e.received_at, e.payload,
         e.payload_salt, e.payload_hash, e.previous_event_hash, e.event_hash, e.stream_head_hash, e.receipt_kid,
         e.receipt_signature, s.system_id, s.class, s.use_case FROM events e JOIN streams s ON s.stream_id = e.stream_id
       WHERE e.tenant_id = $1 AND e.stream_event_id = $2`,
      `SELECT e.stream_event_id, e.stream_id, e.seq_no, e.event_type, e.status, e.source_ref, e.occurred_at, e.received_at,
         e.event_hash, e.payload, e.payload_salt, e.payload_hash, e.event_log_no, s.system_id, s.class, s.use_case
       FROM events e JOIN streams s ON s.stream_id = e.stream_id WHERE e.tenant_id = $1 AND e.stream_event_id = $2`,
    ],
  },
  {
    because: "The same for a window.",
    tables: ["windows"],
    statements: ["SELECT document FROM windows WHERE window_id = $1"],
  },
  {
    because: "The same for a checkpoint.",
    tables: ["checkpoints"],
    statements: [
      "SELECT c.document, c.checkpoint_hash, c.frontier_before FROM checkpoints c WHERE c.checkpoint_id = $1",
    ],
  },
  {
    because: "A list of streams is about many of them: it is answered from the rows of a tenant in every shard.",
    tables: ["streams"],
    statements: [
      `SELECT ${LISTED} FROM streams WHERE ${OF_SYSTEM} AND stream_id > $3 ORDER BY stream_id LIMIT $4`,
      `SELECT ${LISTED} FROM streams WHERE ${OF_SYSTEM} AND class = $3 AND stream_id > $4 ORDER BY class, ` +
        `stream_id LIMIT $5`,
      `SELECT ${LISTED} FROM streams WHERE ${OF_SYSTEM} AND use_case = $3 AND stream_id > $4
       ORDER BY use_case, stream_id LIMIT $5`,
      `SELECT ${LISTED} FROM streams WHERE ${OF_SYSTEM} AND use_case = $3 AND stream_id > $4 AND class || '' = $5
       ORDER BY use_case, stream_id LIMIT $6`,
      `SELECT stream_id AS key_0 FROM streams WHERE ${OF_SYSTEM} AND use_case = $3 AND stream_id > $4
       ORDER BY stream_id LIMIT 1 OFFSET $5`,
      `SELECT ${LISTED} FROM streams WHERE ${LIFECYCLE} AND use_case || '' <> $3 AND use_case || '' <> $4
       ORDER BY stream_id LIMIT $5`,
      `SELECT ${LISTED} FROM streams WHERE ${LIFECYCLE} AND use_case || '' = $3 AND use_case || '' <> $4
         AND use_case || '' <> $5 ORDER BY stream_id LIMIT $6`,
      `SELECT stream_id AS key_0 FROM streams WHERE ${LIFECYCLE} ORDER BY stream_id LIMIT 1 OFFSET $3`,
    ],
  },
  {
    because: "A request to the event log names no stream: it asks which streams are the log of a system.",
    tables: ["streams"],
    statements: [
      `SELECT ${LOG} FROM streams WHERE tenant_id || '' = $1 AND system_id = $2 AND event_log_no IS NOT NULL
       ORDER BY event_log_no DESC LIMIT 1`,
      `SELECT ${LOG} FROM streams WHERE tenant_id || '' = $1 AND system_id = $2 AND event_log_no IS NOT NULL
         AND event_log_no >= $3 ORDER BY event_log_no LIMIT $4`,
    ],
  },
  {
    because: "The sealer looks which streams have something due, in all shards; each step then is about one stream.",
    tables: ["streams"],
    statements: [
      `SELECT *, NULL AS source_timezone FROM streams WHERE unwindowed_since IS NOT NULL AND closed_at IS NULL
         AND (unwindowed_since, stream_id) > ($1, $2) ORDER BY unwindowed_since, stream_id LIMIT $3`,
      `SELECT *, NULL AS source_timezone FROM streams WHERE window_count > checkpointed_window_count AND closed_at IS NULL
         AND stream_id > $1 ORDER BY stream_id LIMIT $2`,
    ],
  },
  {
    because: "The outbox is asked which messages are due, in all shards; each is dispatched by its stream.",
    tables: ["outbox"],
    statements: [
      `SELECT outbox_id, tenant_id, subject, stream_id, payload, attempts FROM outbox WHERE kind = $1 AND done_at IS NULL
         AND (next_attempt_at <= $2 OR next_attempt_at > $3) AND outbox_id || '' > $5 ORDER BY outbox_id LIMIT $4`,
    ],
  },
  {
    because:
      "The service log looks which checkpoints wait for it, in all shards; each then leaves the queue by its stream.",
    tables: ["unlogged_checkpoints"],
    statements: [
      `SELECT stream_id, checkpoint_no, checkpoint_id, checkpoint_hash, created_at FROM unlogged_checkpoints
       ORDER BY created_at, stream_id, checkpoint_no LIMIT $1`,
    ],
  },
  {
    because:
      "The archive looks which of its files are to be finished, in all shards; each step then is about one stream.",
    tables: ["archives", "streams"],
    statements: [
      `SELECT a.stream_id, a.from_seq_no, a.to_seq_no, a.file, a.sha256, a.size_bytes, a.freed_to_seq_no, a.erased_since,
         a.archived_at, s.tenant_id FROM archives a JOIN streams s ON s.stream_id = a.stream_id
       WHERE (a.erased_since > 0 OR a.freed_to_seq_no < a.to_seq_no) ORDER BY a.stream_id, a.to_seq_no LIMIT 1`,
    ],
  },
  {
    because: "The archive looks which of its old files no range names any more: they are few.",
    tables: ["archives"],
    statements: [
      `SELECT l.file FROM archive_leavings l WHERE NOT EXISTS (SELECT 1 FROM archives a WHERE a.file = l.file)
       ORDER BY l.file LIMIT $1`,
    ],
  },
  {
    because:
      "The first transaction of a connection asks whether its server has the last event, of any stream, before " +
      "it writes.",
    tables: ["events"],
    statements: ["SELECT event_hash FROM events WHERE stream_event_id = $1"],
  },
  {
    because:
      "/ready asks whether events may be written, by a statement that writes none: it names the key where it reads.",
    tables: ["events"],
    statements: ["INSERT INTO events SELECT * FROM events WHERE stream_id = ''"],
  },
  {
    because: "The same for remembered requests.",
    tables: ["idempotency_records"],
    statements: ["INSERT INTO idempotency_records SELECT * FROM idempotency_records WHERE scope_hash = ''"],
  },
  {
    because: "Keys are forgotten by their age, in all shards, beside the requests.",
    tables: ["idempotency_records"],
    statements: [
      "SELECT created_at FROM idempotency_records WHERE created_at >= $1 ORDER BY created_at LIMIT 1",
      `SELECT record_no, created_at FROM idempotency_records WHERE created_at >= $1 AND created_at < $2
       ORDER BY created_at LIMIT $3`,
      "DELETE FROM idempotency_records WHERE record_no IN ($1, $2)",
    ],
  },
];

/** Returns a statement in one line; lists of placeholders of any length are the same. */
export function shown(sql: string): string {
  return sql
    .trim()
    .replace(/\s+/g, " ")
    .replace(/\$\d+(?:, \$\d+)+/g, "$n, ...");
}

/** Returns the name of a table's use in a statement. */
export function useOf(table: string, sql: string): string {
  return `${table}: ${shown(sql)}`;
}

/** The names of the uses that need no key. */
export const NEED_NO_KEY: ReadonlySet<string> = new Set(
  EXCEPTIONS.flatMap(({ tables, statements }) => tables.flatMap((table) => statements.map((sql) => useOf(table, sql)))),
);
