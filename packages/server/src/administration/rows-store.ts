/** Entries of the access log beside the events that say the same, for checking: all SQL about it. */
import type { Reader } from "@svc/host/store";

/** An entry, and the payload of its event. */
export interface RecordedChange {
  readonly access_id: string;
  readonly actor_kind: string;
  readonly actor_id: string;
  readonly object_id: string;
  readonly detail: string;
  /** J(payload) of the event. */
  readonly payload: string;
}

/** Resolves to the entries behind one whose events have their payloads in the database, in order of their ids. */
export function recordedChanges(reader: Reader, after: string, limit: number): Promise<RecordedChange[]> {
  return reader.all<RecordedChange>(
    `SELECT l.access_id, l.actor_kind, l.actor_id, l.object_id, l.detail, v.payload FROM access_log l
     JOIN events v ON v.stream_id = l.administration_stream_id AND v.seq_no = l.administration_seq_no
     WHERE l.access_id > $1 AND l.administration_stream_id IS NOT NULL AND v.payload IS NOT NULL
     ORDER BY l.access_id LIMIT $2`,
    after,
    limit,
  );
}
