/** Whole rows as they stand in the database, for checking them: all SQL about it. */

import type { Reader } from "@svc/host/store";
import type { IdempotencyRow } from "../idempotency/store.ts";
import type { EventRow } from "../streams/events-store.ts";
import type { StreamRow } from "../streams/streams-store.ts";

export type RawRow = Readonly<Record<string, string | number | null>>;

/** An event's whole row. */
export type RawEvent = EventRow & {
  readonly tenant_id: string;
  readonly occurred_at_utc: string;
  readonly event_log_no: number | null;
  readonly status: string | null;
  /** Whether its erasure is recorded. */
  readonly is_erased: number;
};

/** The streams behind an id, in order of their ids. */
export function rawStreams(reader: Reader, afterId: string, most: number): Promise<StreamRow[]> {
  return reader.all(
    "SELECT *, NULL AS source_timezone FROM streams WHERE stream_id > $1 ORDER BY stream_id LIMIT $2",
    afterId,
    most,
  );
}

export async function countStreams(reader: Reader): Promise<number> {
  return (await reader.first<{ streams: number }>("SELECT COUNT(*) AS streams FROM streams"))?.streams ?? 0;
}

/** The system keys, in order of their ids. */
export function rawSystemKeys(reader: Reader): Promise<RawRow[]> {
  return reader.all("SELECT * FROM credentials WHERE kind = 'system_key' ORDER BY credential_id");
}

/** What the audit log says of system keys. */
export function loggedOfKeys(reader: Reader): Promise<RawRow[]> {
  return reader.all(
    `SELECT l.tenant_id, l.at, l.action, l.object_id, l.detail FROM credentials c
     JOIN access_log l ON l.object_id = c.credential_id WHERE c.kind = 'system_key' ORDER BY l.access_id`,
  );
}

/** What is kept of a request. */
export interface RawRequest extends IdempotencyRow {
  readonly record_no: number;
  readonly tenant_id: string;
  readonly route: string;
}

/** What is kept of requests behind a number, in order. */
export function rawRequests(reader: Reader, afterNo: number, most: number): Promise<RawRequest[]> {
  return reader.all<RawRequest>(
    "SELECT * FROM idempotency_records WHERE record_no > $1 ORDER BY record_no LIMIT $2",
    afterNo,
    most,
  );
}

/** The events of a stream behind a number, in order. */
export function rawEvents(reader: Reader, streamId: string, afterSeqNo: number, most: number): Promise<RawEvent[]> {
  return reader.all<RawEvent>(
    `SELECT e.*, CASE WHEN x.stream_event_id IS NULL THEN 0 ELSE 1 END AS is_erased
     FROM events e LEFT JOIN erasures x ON x.stream_event_id = e.stream_event_id
     WHERE e.stream_id = $1 AND e.seq_no > $2 ORDER BY e.seq_no LIMIT $3`,
    streamId,
    afterSeqNo,
    most,
  );
}

/** The windows of a stream behind a number, in order. */
export function rawWindows(reader: Reader, streamId: string, afterNo: number, most: number): Promise<RawRow[]> {
  return reader.all(
    "SELECT * FROM windows WHERE stream_id = $1 AND window_no > $2 ORDER BY window_no LIMIT $3",
    streamId,
    afterNo,
    most,
  );
}

/** The checkpoints of a stream behind a number, in order. */
export function rawCheckpoints(reader: Reader, streamId: string, afterNo: number, most: number): Promise<RawRow[]> {
  const sql = "SELECT * FROM checkpoints WHERE stream_id = $1 AND checkpoint_no > $2 ORDER BY checkpoint_no LIMIT $3";
  return reader.all(sql, streamId, afterNo, most);
}

/** The statements on a checkpoint. */
export function rawStatements(reader: Reader, checkpointId: string): Promise<RawRow[]> {
  return reader.all(
    "SELECT * FROM witness_statements WHERE checkpoint_id = $1 ORDER BY witness_id, key_epoch",
    checkpointId,
  );
}

/** What a witness remembers of an origin. */
export function rawWitnessState(reader: Reader, witnessName: string, origin: string): Promise<RawRow | null> {
  return reader.first("SELECT * FROM witness_state WHERE witness_name = $1 AND origin = $2", witnessName, origin);
}

/** Evidence of forks, and endorsements of keys: documents that verify by themselves. */
export async function rawDocuments(reader: Reader): Promise<{ table: string; id: string; document: string }[]> {
  const forks = await reader.all<{ id: string; document: string }>(
    "SELECT fork_id AS id, document FROM forks ORDER BY 1",
  );
  const keys = await reader.all<{ id: string; document: string }>(
    "SELECT endorser_kid AS id, document FROM key_endorsements ORDER BY 1",
  );
  return [
    ...forks.map((row) => ({ table: "forks", ...row })),
    ...keys.map((row) => ({ table: "key_endorsements", ...row })),
  ];
}

/** Endorsements with the columns by which they are found. */
export function rawEndorsements(reader: Reader): Promise<RawRow[]> {
  return reader.all("SELECT * FROM key_endorsements ORDER BY endorser_kid");
}

/** Whether a checkpoint still waits for its cosignature. */
export async function awaitsCosigning(reader: Reader, kind: string, checkpointId: string): Promise<boolean> {
  const sql = "SELECT 1 FROM outbox WHERE kind = $1 AND subject = $2 AND done_at IS NULL";
  return (await reader.first(sql, kind, checkpointId)) !== null;
}

/** All versions of all policies. */
export function rawPolicies(reader: Reader): Promise<RawRow[]> {
  return reader.all("SELECT * FROM policies ORDER BY policy_id, policy_version");
}

export function rawWitnessPolicies(reader: Reader): Promise<RawRow[]> {
  return reader.all("SELECT * FROM witness_policies ORDER BY policy_id, policy_version");
}

/** Rows that do not fit other rows, most of them since they name one which is not there; each with its table and its name. */
export async function strays(reader: Reader): Promise<{ table: string; id: string; fault: string }[]> {
  const queries = [
    [
      "streams",
      "stream_id",
      "its number among the event logs of its system is not the one that follows",
      `e.event_log_no IS NOT NULL AND (e.class <> 'legacy' OR e.event_log_no <>
       (SELECT COUNT(*) FROM streams o WHERE o.system_id = e.system_id AND o.event_log_no <= e.event_log_no))`,
    ],
    ["events", "stream_event_id", "its stream is not there", "e.stream_id NOT IN (SELECT stream_id FROM streams)"],
    ["windows", "window_id", "its stream is not there", "e.stream_id NOT IN (SELECT stream_id FROM streams)"],
    ["checkpoints", "checkpoint_id", "its stream is not there", "e.stream_id NOT IN (SELECT stream_id FROM streams)"],
    [
      "witness_statements",
      "checkpoint_id",
      "its checkpoint is not there",
      "e.checkpoint_id NOT IN (SELECT checkpoint_id FROM checkpoints)",
    ],
    [
      "policies",
      "policy_id",
      "its tenant has no witness policy of this id and version",
      "NOT EXISTS (SELECT 1 FROM witness_policies w WHERE w.policy_id = e.policy_id AND w.policy_version = e.policy_version AND COALESCE(w.tenant_id, '') = COALESCE(e.tenant_id, ''))",
    ],
    [
      "witness_policies",
      "policy_id",
      "its tenant has no policy of this id and version",
      "NOT EXISTS (SELECT 1 FROM policies p WHERE p.policy_id = e.policy_id AND p.policy_version = e.policy_version AND COALESCE(p.tenant_id, '') = COALESCE(e.tenant_id, ''))",
    ],
    [
      "streams",
      "stream_id",
      "its policy is neither its tenant's nor built in",
      "NOT EXISTS (SELECT 1 FROM policies p WHERE p.policy_id = e.policy_id AND COALESCE(p.tenant_id, '') IN (e.tenant_id, ''))",
    ],
    [
      "erasures",
      "stream_event_id",
      "its event, or the lifecycle event that records it, is not there",
      `e.stream_event_id NOT IN (SELECT stream_event_id FROM events)
       OR e.lifecycle_event_id NOT IN (SELECT stream_event_id FROM events WHERE source_ref = e.stream_event_id)`,
    ],
    [
      "idempotency_records",
      "record_no",
      "the events that its request has recorded are not there",
      "e.to_seq_no > (SELECT head_seq_no FROM streams s WHERE s.stream_id = e.stream_id)",
    ],
    [
      "access_log",
      "object_id",
      "the stream that it says was made is not there",
      "e.action = 'stream.created' AND e.object_id NOT IN (SELECT stream_id FROM streams)",
    ],
    [
      "access_log",
      "object_id",
      "the export that it says was made is not there",
      "e.action = 'export.created' AND e.object_id NOT IN (SELECT export_id FROM exports)",
    ],
  ] as const;
  const found = [];
  for (const [table, id, fault, condition] of queries)
    for (const row of await reader.all<{ id: string }>(
      `SELECT e.${id} AS id FROM ${table} e WHERE ${condition} ORDER BY 1 LIMIT 20`,
    ))
      found.push({ table, id: `${row.id}`, fault });
  return found;
}
