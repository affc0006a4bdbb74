/** Rows of exports as the database stores them, for checking: all SQL about it. */

import type { RawRow } from "@svc/host/checks";
import type { Reader } from "@svc/host/store";
import type { ExportRow } from "./exports-store.ts";

/** An event of a lifecycle stream, and the row that names it; null if none does. */
export interface LifecycleRow {
  readonly stream_event_id: string;
  readonly tenant_id: string;
  readonly event_type: "truth_package.generated" | "truth_package.accessed" | "truth_package.verified";
  readonly source_ref: string;
  readonly received_at: string;
  readonly stream_id: string;
  readonly seq_no: number;
  readonly payload: string | null;
  readonly payload_salt: string | null;
  readonly payload_hash: string;
  readonly row: RawRow | null;
}

const NAMED_BY = {
  "truth_package.generated": `SELECT e.*, (SELECT MAX(r.evidence) FROM export_ranges r WHERE r.export_id = e.export_id) AS kept
    FROM exports e WHERE e.generated_event_id = $1`,
  "truth_package.accessed": "SELECT * FROM export_accesses WHERE accessed_event_id = $1",
  "truth_package.verified": "SELECT * FROM export_verifications WHERE verified_event_id = $1",
} as const;

/** Resolves to the lifecycle events about packages behind an id, in order of their ids. */
export async function lifecycleRows(reader: Reader, afterId: string, most: number): Promise<LifecycleRow[]> {
  const events = await reader.all<Omit<LifecycleRow, "row">>(
    `SELECT e.stream_event_id, e.tenant_id, e.event_type, e.source_ref, e.received_at,
       e.stream_id, e.seq_no, e.payload, e.payload_salt, e.payload_hash FROM events e
     JOIN streams s ON s.stream_id = e.stream_id
     WHERE s.class = 'lifecycle' AND e.stream_event_id > $1
       AND e.event_type IN ('truth_package.generated', 'truth_package.accessed', 'truth_package.verified')
     ORDER BY e.stream_event_id LIMIT $2`,
    afterId,
    most,
  );
  const rows: LifecycleRow[] = [];
  for (const event of events)
    rows.push({ ...event, row: await reader.first<RawRow>(NAMED_BY[event.event_type], event.stream_event_id) });
  return rows;
}

/** Resolves to the exports behind an id, in order. */
export function rawExports(reader: Reader, afterId: string, most: number): Promise<ExportRow[]> {
  return reader.all("SELECT * FROM exports WHERE export_id > $1 ORDER BY export_id LIMIT $2", afterId, most);
}

/** Resolves to the whole rows of an export's ranges, ascending by stream. */
export function rawRanges(reader: Reader, exportId: string): Promise<RawRow[]> {
  return reader.all("SELECT * FROM export_ranges WHERE export_id = $1 ORDER BY stream_id", exportId);
}

/** An entry of the audit log about an object. */
export interface LoggedRow {
  readonly tenant_id: string;
  readonly at: string;
  readonly actor_kind: string;
  readonly actor_id: string;
  readonly action: string;
  readonly detail: string;
}

/** Resolves to the entries of the audit log about the life of an export, in order. */
export function loggedExports(reader: Reader, exportId: string): Promise<LoggedRow[]> {
  return reader.all<LoggedRow>(
    `SELECT tenant_id, at, actor_kind, actor_id, action, detail FROM access_log
     WHERE object_id = $1 AND action IN ('export.created', 'export.failed', 'export.deleted') ORDER BY access_id`,
    exportId,
  );
}
